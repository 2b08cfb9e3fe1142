import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { NamedType, ObjectType, OutputComposite, SchemaModel } from '../../schema/model.ts'
import { invalid } from './invalid.ts'

/**
 * Returns the object type, interface or union with a name. @param call the call of the hook, for the message
 * @throws SvcError SVC_ACCESS_INVALID: there is no such type
 */
export function compositeOf(schema: SchemaModel, name: string, call: string): OutputComposite {
  const type = schema.types.get(name)
  if (isComposite(type)) return type
  const names = [...schema.types.values()].filter(isComposite).map((each) => each.name)
  const what =
    type === undefined ? 'there is no such type' : `that is ${type.kind === 'input' ? 'an' : 'a'} ${type.kind}`
  throw invalid(`${call}: ${what}.${didYouMean(name, names)} Types: ${listNames(names)}.`)
}

function isComposite(type: NamedType | undefined): type is OutputComposite {
  return type?.kind === 'object' || type?.kind === 'interface' || type?.kind === 'union'
}

const NODE_PREFIX = 'node:'

/** Returns the target (`node:User`) with which a hook hides rows of a type at the root field `node` only. */
export function nodeTarget(typeName: string): string {
  return `${NODE_PREFIX}${typeName}`
}

function relayTypeOf({ relayTypes }: SchemaModel, name: string, call: string): string {
  const names = relayTypes.map((type) => type.name)
  if (names.includes(name)) return name
  throw invalid(`${call}: there is no such relay type.${didYouMean(name, names)} Relay types: ${listNames(names)}.`)
}

/** Returns the object types of an interface or union, or the object type itself. */
export function objectsOf(type: OutputComposite): readonly ObjectType[] {
  return type.kind === 'object' ? [type] : type.members
}

/**
 * Resolves the target of an `access.deny` call to targets of object types, with field names as clients see them:
 * `Type`, `Type.field`, `node:Type`. An interface or union yields one target per object type.
 * @param target `User`, `User.email` or `node:User`; fields by declared or wire name
 * @throws SvcError SVC_ACCESS_INVALID: there is no such type or field
 */
export function deniedTargets(schema: SchemaModel, target: unknown): readonly string[] {
  if (typeof target !== 'string')
    throw invalid(`access.deny: "User" or "User.email" is denied, not a ${typeof target}.`)
  const call = `access.deny("${target}")`
  if (target.startsWith(NODE_PREFIX)) return [nodeTarget(relayTypeOf(schema, target.slice(NODE_PREFIX.length), call))]
  const dot = target.indexOf('.')
  const type = compositeOf(schema, dot === -1 ? target : target.slice(0, dot), call)
  if (dot === -1) return objectsOf(type).map(({ name }) => name)
  const wanted = target.slice(dot + 1)
  const fields = type.kind === 'union' ? [] : [...type.fields.values()]
  const field = fields.find(({ wireName, name }) => wireName === wanted || name === wanted)
  if (field !== undefined) return objectsOf(type).map(({ name }) => `${name}.${field.wireName}`)
  const names = fields.map(({ wireName }) => wireName)
  const hint =
    names.length === 0 ? ' A union has no fields.' : `${didYouMean(wanted, names)} Fields: ${listNames(names)}.`
  throw invalid(`${call}: ${type.name} has no such field.${hint}`)
}
