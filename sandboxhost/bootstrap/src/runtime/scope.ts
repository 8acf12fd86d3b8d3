/**
 * What a tool finds in its worker. Data only: `lockdown` takes away every name that `kept` does not list, so what a later
 * engine adds is gone until somebody has looked at it. `removed` says why of each name that engines have today, and is read by
 * tests alone. A name is in one of the two.
 */
export interface Row {
  readonly names: readonly string[]
  readonly why: string
}

/** Names of the global object and of what stands behind it. */
export const kept: readonly Row[] = [
  {
    why: 'the language',
    names: [
      'AggregateError', 'Array', 'ArrayBuffer', 'AsyncDisposableStack', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean',
      'DataView', 'Date', 'DisposableStack', 'Error', 'EvalError', 'FinalizationRegistry', 'Float16Array', 'Float32Array', 'Float64Array',
      'Function', 'Infinity', 'Int16Array', 'Int32Array', 'Int8Array', 'InternalError', 'Intl', 'Iterator', 'JSON', 'Map', 'Math', 'NaN',
      'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String',
      'SuppressedError', 'Symbol', 'SyntaxError', 'Temporal', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
      'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape',
      'globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined', 'unescape', 'constructor',
    ],
  },
  { why: 'there and refused by the policy: the language names them, and code asks whether they work', names: ['eval'] },
  { why: 'computes and ends with the worker', names: ['WebAssembly'] },
  { why: 'timers of the call', names: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'queueMicrotask'] },
  {
    why: 'events inside the worker; listeners and ports of a call end with it',
    names: [
      'AbortController', 'AbortSignal', 'CustomEvent', 'ErrorEvent', 'Event', 'EventTarget', 'MessageChannel', 'MessageEvent', 'MessagePort',
      'ProgressEvent', 'PromiseRejectionEvent', 'addEventListener', 'dispatchEvent', 'removeEventListener', 'reportError', 'DOMException',
      'QuotaExceededError', 'CloseEvent',
    ],
  },
  {
    why: 'text, bytes and streams',
    names: [
      'Blob', 'ByteLengthQueuingStrategy', 'CompressionStream', 'CountQueuingStrategy', 'DecompressionStream', 'File', 'FileReader',
      'FileReaderSync', 'FormData', 'ReadableByteStreamController', 'ReadableStream', 'ReadableStreamBYOBReader',
      'ReadableStreamBYOBRequest', 'ReadableStreamDefaultController', 'ReadableStreamDefaultReader', 'TextDecoder', 'TextDecoderStream',
      'TextEncoder', 'TextEncoderStream', 'TransformStream', 'TransformStreamDefaultController', 'URL', 'URLPattern', 'URLSearchParams',
      'WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter', 'atob', 'btoa', 'structuredClone',
    ],
  },
  { why: 'a request, asked of the host: the runtime puts classes of its own in the place of the engine\'s', names: ['fetch', 'Headers', 'Request', 'Response'] },
  {
    why: 'drawing on the processor; a canvas gives its two contexts that compute there and no other',
    names: [
      'CanvasGradient', 'CanvasPattern', 'DOMMatrix', 'DOMMatrixReadOnly', 'DOMPoint', 'DOMPointReadOnly', 'DOMQuad', 'DOMRect',
      'DOMRectReadOnly', 'ImageBitmap', 'ImageBitmapRenderingContext', 'ImageData', 'OffscreenCanvas', 'OffscreenCanvasRenderingContext2D',
      'Path2D', 'TextMetrics', 'createImageBitmap',
    ],
  },
  { why: 'random numbers, and keys that the frame holds for the call', names: ['Crypto', 'CryptoKey', 'SubtleCrypto', 'crypto'] },
  { why: 'the clock', names: ['Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'performance'] },
  {
    why: 'tells a library where it is',
    names: [
      'DedicatedWorkerGlobalScope', 'WorkerGlobalScope', 'WorkerLocation', 'WorkerNavigator', 'crossOriginIsolated', 'isSecureContext',
      'location', 'name', 'navigator', 'origin', 'self',
    ],
  },
  { why: 'kept in the log of the call', names: ['console'] },
  { why: 'two numbers that Chromium does not let go of', names: ['PERSISTENT', 'TEMPORARY'] },
]

/** Names of objects that stay, by where they are; the rest of each is taken away. */
export const keptOn: Readonly<Record<'navigator' | 'performance' | 'URL', readonly string[]>> = {
  navigator: [
    'appCodeName', 'appName', 'appVersion', 'constructor', 'hardwareConcurrency', 'language', 'languages', 'onLine', 'platform', 'product',
    'userAgent',
  ],
  performance: [
    'clearMarks', 'clearMeasures', 'constructor', 'getEntries', 'getEntriesByName', 'getEntriesByType', 'mark', 'measure', 'now',
    'timeOrigin', 'toJSON', 'addEventListener', 'dispatchEvent', 'removeEventListener',
  ],
  URL: ['canParse', 'length', 'name', 'parse', 'prototype'],
}

/** Why the rest is gone. Names with a dot are of an object that stays. */
export const removed: readonly Row[] = [
  { why: 'more threads: one tool is one worker, which its supervisor can end', names: ['Worker', 'SharedWorker'] },
  { why: 'makes addresses of more scripts', names: ['URL.createObjectURL', 'URL.revokeObjectURL'] },
  { why: 'code that nobody hashed', names: ['importScripts', 'ShadowRealm'] },
  { why: 'a way to the supervisor beside the port', names: ['postMessage', 'close', 'onmessage', 'onmessageerror'] },
  { why: 'a way to other workers of the frame', names: ['BroadcastChannel'] },
  {
    why: 'network; the policy refuses it too',
    names: [
      'XMLHttpRequest', 'XMLHttpRequestEventTarget', 'XMLHttpRequestUpload', 'WebSocket', 'WebSocketError', 'WebSocketStream', 'EventSource',
      'WebTransport', 'WebTransportBidirectionalStream', 'WebTransportDatagramDuplexStream', 'WebTransportError',
      'WebTransportReceiveStream', 'WebTransportSendStream', 'fetchLater', 'NetworkInformation', 'navigator.connection',
      'navigator.sendBeacon',
    ],
  },
  {
    why: 'network that no policy governs',
    names: [
      'RTCPeerConnection', 'RTCDataChannel', 'RTCEncodedAudioFrame', 'RTCEncodedVideoFrame', 'RTCRtpScriptTransformer', 'RTCTransformEvent',
      'onrtctransform', 'MediaStreamTrack',
    ],
  },
  { why: 'loads fonts from addresses', names: ['FontFace', 'FontFaceSet', 'FontFaceSetLoadEvent', 'fonts'] },
  {
    why: 'outlives the sandbox',
    names: [
      'Cache', 'CacheStorage', 'caches', 'indexedDB', 'IDBCursor', 'IDBCursorWithValue', 'IDBDatabase', 'IDBFactory', 'IDBIndex', 'IDBKeyRange',
      'IDBObjectStore', 'IDBOpenDBRequest', 'IDBRecord', 'IDBRequest', 'IDBTransaction', 'IDBVersionChangeEvent', 'StorageManager', 'Directory',
      'FileSystemDirectoryHandle', 'FileSystemFileHandle', 'FileSystemHandle', 'FileSystemSyncAccessHandle', 'FileSystemWritableFileStream',
      'webkitRequestFileSystem', 'webkitRequestFileSystemSync', 'webkitResolveLocalFileSystemSyncURL',
      'webkitResolveLocalFileSystemURL', 'cookieStore', 'CookieStore', 'navigator.storage', 'navigator.storageBuckets',
    ],
  },
  { why: 'shared with other realms of the origin', names: ['Lock', 'LockManager', 'navigator.locks'] },
  {
    why: 'talks to the user or the system, or goes on behind the page',
    names: [
      'Notification', 'PushManager', 'PushSubscription', 'PushSubscriptionOptions', 'BackgroundFetchManager', 'BackgroundFetchRecord',
      'BackgroundFetchRegistration', 'PeriodicSyncManager', 'SyncManager', 'ServiceWorker', 'ServiceWorkerContainer',
      'ServiceWorkerRegistration', 'NavigationPreloadManager', 'Permissions', 'PermissionStatus', 'UserActivation', 'navigator.permissions',
      'navigator.serviceWorker', 'navigator.setAppBadge', 'navigator.clearAppBadge',
    ],
  },
  { why: 'devices', names: ['Serial', 'SerialPort', 'USB', 'HID', 'navigator.serial', 'navigator.usb', 'navigator.hid', 'navigator.bluetooth'] },
  {
    why: 'the graphics card, which a tool can hang for everybody',
    names: [
      'GPU', 'GPUBuffer', 'GPUBufferUsage', 'GPUColorWrite', 'GPUCommandEncoder', 'GPUComputePassEncoder', 'GPUMapMode', 'GPUQueue',
      'GPURenderPassEncoder', 'GPUShaderStage', 'GPUTextureUsage', 'WebGL2RenderingContext', 'WebGLActiveInfo', 'WebGLBuffer',
      'WebGLContextEvent', 'WebGLFramebuffer', 'WebGLObject', 'WebGLProgram', 'WebGLQuery', 'WebGLRenderbuffer', 'WebGLRenderingContext',
      'WebGLSampler', 'WebGLShader', 'WebGLShaderPrecisionFormat', 'WebGLSync', 'WebGLTexture', 'WebGLTransformFeedback',
      'WebGLUniformLocation', 'WebGLVertexArrayObject', 'navigator.gpu',
    ],
  },
  {
    why: 'codecs, in a process that all pages share',
    names: [
      'AudioData', 'AudioDecoder', 'AudioEncoder', 'AudioTrackConfiguration', 'EncodedAudioChunk', 'EncodedVideoChunk', 'ImageDecoder',
      'ImageTrack', 'ImageTrackList', 'MediaCapabilities', 'MediaSource', 'MediaSourceHandle', 'SourceBuffer', 'SourceBufferList',
      'VideoColorSpace', 'VideoDecoder', 'VideoEncoder', 'VideoFrame', 'VideoTrackConfiguration', 'CropTarget', 'RestrictionTarget',
      'navigator.mediaCapabilities',
    ],
  },
  {
    why: 'calls back when no call runs',
    names: [
      'scheduler', 'Scheduler', 'TaskController', 'TaskPriorityChangeEvent', 'TaskSignal', 'requestAnimationFrame', 'cancelAnimationFrame',
      'PerformanceObserver', 'PerformanceObserverEntryList', 'ReportingObserver', 'Report', 'ReportBody', 'SecurityPolicyViolationEvent',
      'Observable', 'Subscriber', 'when', 'onerror', 'onlanguagechange', 'onoffline', 'ononline', 'onrejectionhandled',
      'onunhandledrejection', 'performance.onresourcetimingbufferfull', 'performance.when',
    ],
  },
  {
    why: 'tells of what the worker loaded, and of the machine',
    names: [
      'PerformanceResourceTiming', 'PerformanceServerTiming', 'NavigatorUAData', 'performance.clearResourceTimings',
      'performance.setResourceTimingBufferSize', 'performance.memory', 'performance.measureUserAgentSpecificMemory', 'navigator.deviceMemory',
      'navigator.userAgentData', 'navigator.globalPrivacyControl', 'dump',
    ],
  },
  {
    why: 'of use in a document only',
    names: [
      'CSSImageValue', 'CSSKeywordValue', 'CSSMathClamp', 'CSSMathInvert', 'CSSMathMax', 'CSSMathMin', 'CSSMathNegate', 'CSSMathProduct',
      'CSSMathSum', 'CSSMathValue', 'CSSMatrixComponent', 'CSSNumericArray', 'CSSNumericValue', 'CSSPerspective', 'CSSRotate', 'CSSScale',
      'CSSSkew', 'CSSSkewX', 'CSSSkewY', 'CSSStyleValue', 'CSSTransformComponent', 'CSSTransformValue', 'CSSTranslate', 'CSSUnitValue',
      'CSSUnparsedValue', 'CSSVariableReferenceValue', 'StylePropertyMapReadOnly', 'DOMStringList', 'FileList', 'Origin', 'TrustedHTML',
      'TrustedScript', 'TrustedScriptURL', 'TrustedTypePolicy', 'TrustedTypePolicyFactory', 'trustedTypes',
    ],
  },
]
