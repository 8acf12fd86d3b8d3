/** Names of the net that every engine finds on this machine, at whatever port. Tools may ask for them like for any public name. */
export const names = ['api.example.com', 'other.example.com', 'sub.api.example.com', 'api.example.com.example.net', 'api.example.net', 'xn--pi-6kc.example.com'] as const;
