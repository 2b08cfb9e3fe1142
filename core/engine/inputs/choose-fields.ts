import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { FieldSelection, ObjectSelection, Selection } from '../../contract/operation.ts'
import type { FieldModel, NamedType, ObjectType } from '../../schema/model.ts'
import { selectionOf } from './default-selection.ts'

/**
 * The fields that a client chose in a request that is not GraphQL, by name: `{ title: true, shelf: { label: true } }`.
 * `true` for an object selects its default fields.
 */
export interface FieldChoice {
  readonly [wireName: string]: true | FieldChoice
}

export interface ChooseOptions {
  /** Maximum number of rows in each list of related rows. Default: only `svc.max_rows` limits them. */
  readonly relatedLimit?: number | undefined
  /** Maximum depth of nested objects. Default 8. */
  readonly maxDepth?: number | undefined
}

const MAX_DEPTH = 8
const TYPE_NAME = '__typename'

/**
 * Converts a list of field names to the form of a tree: `["title", "shelf.label"]`. If the list has both `shelf` and
 * `shelf.label`, only the longer name counts.
 * @throws SvcError BAD_USER_INPUT: a part of a name is empty
 */
export function fieldChoice(names: readonly string[]): FieldChoice {
  const choice: Tree = Object.create(null)
  for (const name of names) {
    const parts = name.split('.')
    if (parts.includes('')) throw refused(`"${name}" is no name of a field.`, [])
    let at = choice
    for (const [index, part] of parts.entries()) {
      const known = at[part]
      if (index === parts.length - 1) at[part] = known ?? true
      else if (typeof known === 'object') at = known
      else {
        const below: Tree = Object.create(null)
        at[part] = below
        at = below
      }
    }
  }
  return choice
}

type Tree = { [wireName: string]: true | Tree }

/**
 * Converts the fields that a client chose to a selection of a type, in the order of the choice. For an interface or
 * union, each member type selects the chosen fields that it has, and `__typename`.
 * @throws SvcError BAD_USER_INPUT: an unknown field, an empty choice, fields of a scalar or enum, or too many levels
 */
export function chooseFields(named: NamedType, choice: FieldChoice, options: ChooseOptions = {}): Selection {
  return choose(named, choice, options, [])
}

function choose(named: NamedType, choice: FieldChoice, options: ChooseOptions, path: readonly string[]): Selection {
  const names = Object.keys(choice)
  if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') {
    throw refused(`A value of type ${named.name} has no fields to choose from.`, path)
  }
  if (names.length === 0) throw refused(`Nothing is chosen of ${named.name}: name one of its fields.`, path)
  const { maxDepth = MAX_DEPTH } = options
  if (path.length >= maxDepth) throw refused(`Fields are chosen deeper than ${maxDepth} levels.`, path)
  if (named.kind === 'object') {
    checkNames(names, [named], named.name, path)
    return chooseOf(named, names, choice, options, path)
  }
  checkNames(names, named.members, named.name, path)
  const possible = named.members.map((member) => {
    const { fields, ...rest } = chooseOf(member, names, choice, options, path)
    const own = fields.filter((field) => field.kind !== 'typename')
    const typename: FieldSelection = { kind: 'typename', responseKey: TYPE_NAME }
    return [member.name, { ...rest, fields: [typename, ...own] }] as const
  })
  return { kind: 'abstract', possible: new Map(possible) }
}

function chooseOf(
  type: ObjectType,
  names: readonly string[],
  choice: FieldChoice,
  options: ChooseOptions,
  path: readonly string[],
): ObjectSelection {
  const fields = names.flatMap((name): FieldSelection[] => {
    if (name === TYPE_NAME) return [{ kind: 'typename', responseKey: name }]
    const field = type.fields.get(name)
    return field === undefined ? [] : [chosenField(field, choice[name]!, options, [...path, name])]
  })
  return { kind: 'object', type, fields }
}

function chosenField(
  field: FieldModel,
  chosen: true | FieldChoice,
  options: ChooseOptions,
  path: readonly string[],
): FieldSelection {
  const { named, wireName: responseKey } = field
  // The choice may be JSON from a client.
  if (chosen !== true && (typeof chosen !== 'object' || chosen === null))
    throw refused(`"${responseKey}" is chosen by true, or by the names of its own fields.`, path)
  const selection = chosen === true ? selectionOf(named) : choose(named, chosen, options, path)
  const { relatedLimit } = options
  const isBounded = relatedLimit !== undefined && field.list && field.read?.from === 'relation'
  const args = isBounded ? [{ name: 'limit', value: { kind: 'constant', value: relatedLimit } } as const] : []
  return { kind: 'field', responseKey, field, arguments: args, selection, location: null }
}

function checkNames(names: readonly string[], types: readonly ObjectType[], of: string, path: readonly string[]): void {
  const known = new Set(types.flatMap((type) => [...type.fields.keys()]))
  const unknown = names.find((name) => name !== TYPE_NAME && !known.has(name))
  if (unknown === undefined) return
  const hint = didYouMean(unknown, known) || ` There are: ${listNames([...known])}`
  throw refused(`${of} has no field "${unknown}".${hint}`, [...path, unknown])
}

function refused(message: string, path: readonly string[]): SvcError {
  return new SvcError('BAD_USER_INPUT', message, { details: { path: ['fields', ...path] } })
}
