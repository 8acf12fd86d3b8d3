// Package sandboxhost is the wall in a browser: it implements sandbox.Wall with opaque frames.
//
// A place is an iframe with sandbox="allow-scripts" and nothing else, whose srcdoc holds one inline script named by its hash
// in the frame's own policy; or the same text as a page with an address, for pages whose policy the frame could not inherit. That script starts a supervisor worker and hands it the one MessagePort of the place; the
// supervisor starts the worker that holds the tool. Tool code never runs in a realm that has a DOM. After the hand-over all
// words travel on the port; who speaks is known by the port, never by an origin, which is "null" for every frame.
package sandboxhost
