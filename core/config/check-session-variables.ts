import { claimPathFault } from '../base/util/lookup.ts'
import { isSettingName, SETTING_NAME } from '../base/util/setting-name.ts'
import type { SessionConfig, SessionVariable } from '../contract/session-variable.ts'
import type { Fault } from './faults.ts'
import { type KeyPath, printKey } from './key-path.ts'

/** The key that is required for each source of a value. */
const KEY_OF = { jwt: 'claim', header: 'header', literal: 'value' } as const

/**
 * Checks the session variables of `[session_variables]` and the keys for database roles in `[database]`, as far as the
 * JSON Schema cannot: valid and unique names, the keys that belong to a `source`, paths of claims.
 * @param config configuration that the JSON Schema accepts
 * @param placeOf returns the location of a key, for the message
 */
export function checkSessionVariables(config: SessionConfig, placeOf: (path: KeyPath) => string): Fault[] {
  const faults: Fault[] = []
  const add = (path: KeyPath, message: string): void => {
    faults.push({ key: printKey(path), place: placeOf(path), message: `${printKey(path)}: ${message}` })
  }
  const { variables } = config.session_variables
  // The database ignores the case of names.
  const seen = new Set<string>()
  for (const [index, variable] of variables.entries()) {
    const path = ['session_variables', 'variables', index]
    const { name } = variable
    if (!isSettingName(name)) {
      add([...path, 'name'], `${JSON.stringify(name)} is no name of a session variable. It is ${SETTING_NAME}`)
    } else if (seen.has(name.toLowerCase())) {
      add([...path, 'name'], `"${name}" is there twice, and can have one value`)
    }
    seen.add(name.toLowerCase())
    for (const message of sourceFaults(variable)) add(path, message)
  }
  const { role_claim: claim, anonymous_role: anonymous } = config.database
  const fault = claim === undefined ? null : claimPathFault(claim)
  if (fault !== null) add(['database', 'role_claim'], fault)
  if (anonymous !== undefined && claim === undefined) {
    add(['database', 'anonymous_role'], 'it means nothing without database.role_claim')
  }
  if (anonymous === 'none') add(['database', 'anonymous_role'], '"none" is no role, but the user of database.url')
  return faults
}

function* sourceFaults(variable: SessionVariable): Iterable<string> {
  const { source } = variable
  const wanted = KEY_OF[source]
  if (variable[wanted] === undefined) yield `the source "${source}" wants the key "${wanted}"`
  for (const key of Object.values(KEY_OF)) {
    if (key !== wanted && variable[key] !== undefined) yield `the source "${source}" has no "${key}"`
  }
  const fault = variable.claim === undefined ? null : claimPathFault(variable.claim)
  if (fault !== null) yield fault
  if (source === 'literal' && String(variable.value).includes('\0')) yield 'the value holds the character U+0000'
}
