import { isSettingName, SETTING_NAME } from '../../base/util/setting-name.ts'
import type { Setting } from '../../contract/setting.ts'
import { absent, invalid } from './invalid.ts'

/**
 * Validates the arguments of `access.set`.
 * @param known the caller has a credential
 * @throws SvcError SVC_ACCESS_INVALID, UNAUTHENTICATED, FORBIDDEN
 */
export function toSetting(name: unknown, value: unknown, known: boolean): Setting {
  if (!isSettingName(name)) {
    const shown = typeof name === 'string' ? JSON.stringify(name) : `a ${typeof name}`
    throw invalid(`access.set: ${shown} is no name of a session variable. It is ${SETTING_NAME}.`)
  }
  if (value === undefined || value === null) throw absent(known, `access.set("${name}"): there is no value for it.`)
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') {
    throw invalid(`access.set("${name}"): a session variable is a text, a number or a boolean, not a ${kindOf(value)}.`)
  }
  const text = String(value)
  if (text.includes('\0')) throw invalid(`access.set("${name}"): a text cannot contain the character U+0000.`)
  return Object.freeze({ name, value: text })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}
