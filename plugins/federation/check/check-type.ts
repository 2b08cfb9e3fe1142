import type { PartContext } from '../../../core/doors/command.ts'
import { selectionProblem } from './check-selection.ts'
import type { Owner, Owners } from './owners.ts'
import { tagProblem } from './tag-problem.ts'

type Fault = PartContext<unknown>['fault']

/**
 * Checks the federation keys of a type or interface in `schema.json`: entity keys, tags and `interface_object`.
 * @param fault reports an error by its id
 */
export function checkType(owners: Owners, owner: Owner, fault: Fault): void {
  const word = owners.isObject(owner) ? 'Type' : 'Interface'
  const say = (id: string, what: string): void => fault(id, `${word} "${owner.name}": ${what}`, owner)
  const keys = owners.keysOf(owner)
  for (const key of keys) {
    if (key.fields === null) {
      say('key', `the key "${key.text}" cannot be read: ${key.problem}.`)
      continue
    }
    const problem = selectionProblem(owners, owner, key.fields, true)
    if (problem !== null) say('key', `in the key "${key.text}", ${problem}`)
  }
  if (keys.length === 0 && owner.resolvable !== undefined) {
    say('key', 'resolvable is about its keys, and it has none. Add key_fields or keys, or drop resolvable.')
  }
  const tag = tagProblem(owner.tags)
  if (tag !== null) say('tag', tag)
  if (!owners.isObject(owner)) {
    checkInterface(owners, owner, say)
    return
  }
  if (owner.interface_object === true && keys.length === 0) {
    say(
      'interface-object',
      'interface_object stands for the types of an interface, which are found by its key. Add key_fields.',
    )
  }
  if (owner.interface_object === true && (owner.implements ?? []).length > 0) {
    say('interface-object', 'interface_object is an interface elsewhere, and implements none here. Drop implements.')
  }
}

/** Checks the keys of an interface. Its representations are looked up in the types that implement it. */
function checkInterface(owners: Owners, owner: Owner, say: (id: string, what: string) => void): void {
  const own = owners.keysOf(owner)
  if (own.length === 0) return
  for (const type of owners.all()) {
    if (!owners.isObject(type) || type.implements?.includes(owner.name) !== true) continue
    const theirs = new Set(owners.keysOf(type).map(({ text }) => text.replace(/\s+/g, ' ').trim()))
    const missing = own.find(({ text }) => !theirs.has(text.replace(/\s+/g, ' ').trim()))
    if (missing !== undefined) {
      say(
        'key',
        `it has the key "${missing.text}", and ${type.name}, which implements it, does not. Add it to the keys of ${type.name}.`,
      )
    }
  }
}
