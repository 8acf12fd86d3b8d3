/** Values across the wall in the tagged form of core/protocol/value.go. */
export { decodeValue } from './values/decode'
export { CannotTravel, encodeValue, type Bounds } from './values/encode'
