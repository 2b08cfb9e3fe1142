import { SvcError } from '../../base/errors/svc-error.ts'
import type { Credential, OwnedCredential } from '../../contract/credential.ts'

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const PLACES: readonly string[] = ['header', 'cookie'] satisfies readonly Credential['in'][]
const SCHEMES: readonly string[] = ['bearer', 'basic', 'key'] satisfies readonly Credential['scheme'][]

/**
 * Checks a credential that a plugin declares (`scope.credentials`) and adds it to the list: its header or cookie, and
 * its scheme.
 * @param credentials credentials of all plugins; the function adds to the list
 * @throws SvcError SVC_CREDENTIAL_INVALID: a member is invalid, or another credential has the same id
 */
export function addCredential(credentials: OwnedCredential[], plugin: string, added: Credential): void {
  const { in: place, name, scheme, id = plugin } = (added ?? {}) as Credential
  const invalid = (what: string) =>
    new SvcError('SVC_CREDENTIAL_INVALID', `Plugin "${plugin}" takes a credential ${what}.`)
  if (!PLACES.includes(place)) throw invalid(`in ${JSON.stringify(place)}; it may be in: ${PLACES.join(', ')}`)
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalid(`whose name is ${JSON.stringify(name)}; write the name of a ${place}`)
  }
  if (!SCHEMES.includes(scheme)) {
    throw invalid(`with the scheme ${JSON.stringify(scheme)}; schemes: ${SCHEMES.join(', ')}`)
  }
  if (place === 'cookie' && scheme !== 'key')
    throw invalid(`in a cookie with the scheme "${scheme}"; it is "key" there`)
  const twin = credentials.find((other) => other.id === id)
  if (twin !== undefined) throw invalid(`with the id "${id}", which one of plugin "${twin.plugin}" has already`)
  credentials.push(Object.freeze({ ...added, plugin, id }))
}
