import { toWireName } from '../../base/util/naming.ts'
import { isArrayText, isObjectText, readItems, readMembers, writeMembers } from './json-text.ts'

/**
 * Converts all keys in a JSON text to camelCase, at any depth. Values stay unchanged, so that numbers keep their
 * digits.
 */
export function camelizeKeys(text: string): string {
  if (isObjectText(text)) {
    const members: [string, string][] = []
    for (const [key, value] of readMembers(text)) members.push([toWireName(key), camelizeKeys(value)])
    return writeMembers(members)
  }
  return isArrayText(text) ? `[${readItems(text).map(camelizeKeys).join(',')}]` : text
}
