import { exec, functionText, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, slice } from '../primordials'

/** The name of an object's class, found without running anything of it; empty where there is none. */
export function classOf(value: object): string {
  const constructor = constructorOf(value)
  const name = constructor ? dataOf(constructor, 'name') : undefined
  return typeof name === 'string' ? slice(name, 0, 100) : ''
}

/** Whether an object is of a class that the engine made: what it holds is then in no property of its own. */
export function isOfEngine(value: object): boolean {
  const constructor = constructorOf(value)
  return constructor !== undefined && exec(native, functionText(constructor)) !== null
}

/** How all engines write a function that has no text; as code it would be none. */
const native = /^function [\w$]*\(\) \{\s*\[native code\]\s*\}$/

function constructorOf(value: object): object | undefined {
  const prototype = getPrototypeOf(value)
  const constructor = prototype === null ? undefined : dataOf(prototype, 'constructor')
  return typeof constructor === 'function' ? constructor : undefined
}

/** An own data property's value; undefined for an accessor. */
export function dataOf(holder: object, key: PropertyKey): unknown {
  const property = getOwnPropertyDescriptor(holder, key)
  return property && hasOwn(property, 'value') ? property.value : undefined
}
