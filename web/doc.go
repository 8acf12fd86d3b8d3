// Command web is the console page: console.Model drawn by the Vugu components of ui, over the engine of wasm/browser. It is built
// for js/wasm (see web/build) and started by static/console.js.
//
//	console    what a person sees and does, without a browser
//	ui         the components
//	static     page, style, start script, and the renderer script made by gen
//	gen        makes the committed Go of the components and the renderer script
//	build      makes the folder that is served
//	server     serves it under the host policy
//	serve      the command around server
package main
