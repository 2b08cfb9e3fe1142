import { type CallResult, jsonText, rootsOf, type TypeRef, type VariableDeclaration } from '../../core/doors/front.ts'
import {
  type Engine,
  type Exchange,
  errorAt,
  type ObjectSelection,
  type Operation,
  type Result,
  type RootSelection,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { RequestedRows } from '../graphql/api.ts'
import type { EntityMember, EntityType } from './entity-types.ts'
import { type EntityGroup, groupRepresentations } from './group-representations.ts'
import { type ReadGroups, readFailedApart, type Searches } from './read-apart.ts'

/** Limits and counters that all `_entities` fields of one operation share. */
export interface OperationBounds {
  readonly maxRepresentations: number
  /** Number of entity representations so far in the operation. The resolver increases it. */
  representations: number
  readonly searches: Searches
}

/** Dependencies of the resolver of the federation field `_entities`. */
export interface EntitiesContext {
  readonly run: Engine['run']
  readonly types: ReadonlyMap<string, EntityType>
  readonly bounds: OperationBounds
  /** `true` if error messages may name the entity types and keys of the schema. */
  readonly tells: boolean
}

const VALUES: TypeRef = { kind: 'list', nullable: false, of: { kind: 'named', name: 'ID', nullable: true } }
/** Errors that affect a type only: the caller still gets the entities of other types. */
const REFUSED: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN'])

/**
 * Resolves the federation field `_entities`: reads the rows of the given representations with one statement, under the
 * access rules of each type. The result has their order, and null for a row that does not exist or is not visible.
 * @throws SvcError VALIDATION_ERROR for too many representations
 */
export async function answerEntities(
  { run, types, bounds, tells }: EntitiesContext,
  exchange: Exchange,
  representations: readonly unknown[],
  requested: RequestedRows,
): Promise<CallResult> {
  countIn(bounds, representations.length)
  const { groups, faults } = groupRepresentations(
    types,
    representations,
    (member) => computedFields(requested, member),
    tells,
  )
  const errors = faults.map(
    ({ place, message }) => new SvcError('BAD_USER_INPUT', message, { path: [requested.responseKey, place] }),
  )
  if (groups.length === 0) return { text: `[${representations.map(() => 'null').join()}]`, errors }
  const read = (some: readonly EntityGroup[]): Promise<ReadGroups> => readGroups(run, exchange, some, requested)
  const {
    rows,
    errors: failed,
    refused,
  } = await readFailedApart(read, await readAllowed(read, groups), bounds.searches)
  errors.push(...failed)
  const [only] = groups
  const isWhole = groups.length === 1 && only?.places.length === representations.length && refused.length === 0
  const whole = isWhole ? rows.get(only.name) : undefined
  if (whole !== undefined) return { text: whole, errors }
  const texts = inOrder(representations.length, groups, rows)
  for (const { group, error } of refused) {
    // For an interface, another type can have the row.
    const place = group.places.find((one) => texts[one] === 'null')
    if (place !== undefined) errors.push(errorAt(error, { path: [requested.responseKey, place] }))
  }
  return { text: `[${texts.join()}]`, errors }
}

/** Counts representations. @throws SvcError VALIDATION_ERROR for too many */
function countIn(bounds: OperationBounds, more: number): void {
  const { maxRepresentations } = bounds
  bounds.representations += more
  if (bounds.representations <= maxRepresentations) return
  const count = `${bounds.representations} representations${bounds.representations === more ? '' : ' in all'}`
  const message = `${count} are more than the ${maxRepresentations} that the _entities of one operation may have. Ask in several requests, or raise federation.max_representations.`
  throw new SvcError('VALIDATION_ERROR', message)
}

/** Reads all groups at once. If a type is denied, reads each type separately, so that the others are returned. */
async function readAllowed(
  read: (groups: readonly EntityGroup[]) => Promise<ReadGroups>,
  groups: readonly EntityGroup[],
): Promise<ReadGroups> {
  try {
    return await read(groups)
  } catch (error) {
    if (!(error instanceof SvcError) || !REFUSED.has(error.code)) throw error
    if (groups.length === 1) return { rows: new Map(), errors: [], refused: [{ group: groups[0]!, error }] }
    const each = await Promise.all(groups.map((group) => readAllowed(read, [group])))
    return {
      rows: new Map(each.flatMap(({ rows }) => [...rows])),
      errors: each.flatMap(({ errors }) => errors),
      refused: each.flatMap(({ refused }) => refused),
    }
  }
}

async function readGroups(
  run: Engine['run'],
  exchange: Exchange,
  groups: readonly EntityGroup[],
  requested: RequestedRows,
): Promise<ReadGroups> {
  const key = groups.map(({ name }) => name).join()
  const operation = requested.toOperation(key, () => makeRoots(groups, requested), variablesOf(groups))
  const result = await run(exchange, operation)
  return { rows: rowsOf(operation, result), ...errorsOf(result, groups, requested.responseKey) }
}

function makeRoots(
  groups: readonly EntityGroup[],
  requested: RequestedRows,
): { readonly roots: readonly RootSelection[]; readonly variables: readonly VariableDeclaration[] } {
  const variables: VariableDeclaration[] = []
  const variable = (name: string) => {
    variables.push({ name, type: VALUES, default: undefined })
    return { kind: 'variable', name, type: VALUES } as const
  }
  const roots = groups.map(({ name, member, key, query, given }): RootSelection => {
    const { type } = member
    return {
      kind: 'rows',
      responseKey: name,
      type,
      by: key.by,
      keys: variable(`@${name}`),
      ...(given.length === 0 ? {} : { supplied: variable(`@${name}_given`) }),
      query,
      open: true,
      selection: selectionOf(requested, member),
      location: requested.location,
    }
  })
  return { roots, variables }
}

function variablesOf(groups: readonly EntityGroup[]): Operation['variables'] {
  const values: Record<string, unknown> = {}
  for (const { name, keys, given } of groups) {
    values[`@${name}`] = keys
    if (given.length > 0) values[`@${name}_given`] = given
  }
  return values
}

function selectionOf(requested: RequestedRows, { type }: EntityMember): ObjectSelection {
  const selection = requested.selectionOf(type.name)
  if (selection === null) throw new Error(`${type.name} is an entity, and _Entity does not have it`)
  return selection
}

/** Returns the selected fields that are computed from values of representations. */
function computedFields(requested: RequestedRows, member: EntityMember): readonly string[] {
  if (member.required.size === 0) return []
  return selectionOf(requested, member).fields.flatMap((field) =>
    field.kind === 'field' && member.required.has(field.field.wireName) ? [field.field.wireName] : [],
  )
}

function rowsOf(operation: Operation, result: Result): ReadGroups['rows'] {
  const rows = new Map<string, string>()
  for (const { key, text } of rootsOf(operation, result)) {
    const list = String(text)
    // A failed or masked root has no rows.
    if (list !== 'null') rows.set(key, list)
  }
  return rows
}

/** Sets the index of the representation in the path of each error. An error about a whole type has no index. */
function errorsOf(
  result: Result,
  groups: readonly EntityGroup[],
  responseKey: string,
): Pick<ReadGroups, 'errors' | 'refused'> {
  const errors: SvcError[] = []
  const refused: { group: EntityGroup; error: SvcError }[] = []
  for (const error of result.errors ?? []) {
    const [name, index, ...rest] = error.path ?? []
    const group = groups.find((one) => one.name === name)
    if (group !== undefined && index === undefined) {
      refused.push({ group, error })
      continue
    }
    // A masked field causes a single error, without an index.
    const place = typeof index === 'number' ? group?.places[index] : group?.places[0]
    const below = typeof index === 'number' ? rest : [index ?? '', ...rest]
    errors.push(errorAt(error, { path: place === undefined ? [responseKey] : [responseKey, place, ...below] }))
  }
  return { errors, refused }
}

/** Returns the rows in the order of the representations. For an interface, several types were read, and one of them has the row. */
function inOrder(length: number, groups: readonly EntityGroup[], rows: ReadGroups['rows']): readonly string[] {
  const texts = new Array<string>(length).fill('null')
  for (const { name, places } of groups) {
    const list = rows.get(name)
    if (list === undefined) continue
    for (const [index, text] of jsonText.readItems(list).entries()) if (text !== 'null') texts[places[index]!] = text
  }
  return texts
}
