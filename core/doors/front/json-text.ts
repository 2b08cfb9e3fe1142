/** JSON as text: values of clients without loss of digits, and members and items of answers that are not parsed. */

export { parseClientJson as parse } from '../../base/util/client-json.ts'
export { numberOf } from '../../base/util/exact-number.ts'
export { readItems, readMembers, writeMembers } from '../../engine/json/json-text.ts'
