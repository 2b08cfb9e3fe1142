import { LRUCache } from 'lru-cache'
import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { shorten } from '../../base/util/shorten.ts'
import { valueKey } from '../../base/util/value-key.ts'
import type {
  ArgumentNode,
  Operation,
  OperationTemplate,
  Selection,
  VariableDeclaration,
} from '../../contract/operation.ts'
import { type Coercer, compileCoercer, toInputError } from '../../schema/coerce.ts'
import type { ShapeField } from '../../schema/input-shape.ts'
import type { MutationModel, NamedType, QueryModel } from '../../schema/model.ts'
import { printTypeRef } from '../../schema/type-ref.ts'
import { type ArgumentShapes, argumentsOfOperation } from './arguments.ts'
import { type ChooseOptions, chooseFields, type FieldChoice } from './choose-fields.ts'
import { selectionOf } from './default-selection.ts'
import { createGeneratedInputs, type GeneratedInputs } from './generated-inputs.ts'

/** What a client passed to a query or mutation in a request that is not GraphQL, such as a tool call. */
export interface OperationRequest {
  /**
   * Arguments by name, as the client sent them. They are checked and converted, and become variables of the operation.
   */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  /** Fields to select. Default: {@link selectionOf}, all stored fields without relations. */
  readonly fields?: FieldChoice | undefined
  /** `true`: also select the total number of rows, if the query offers it. */
  readonly count?: boolean | undefined
}

/**
 * Creates operations for requests that are not GraphQL documents, such as tool calls and RPC. Make one per loaded
 * schema.
 */
export interface OperationMaker {
  /** Returns the arguments that clients may pass to a query or mutation, by name, including generated ones. */
  argumentsOf(operation: QueryModel | MutationModel): ArgumentShapes
  /**
   * Creates an operation with one root field, whose response key is the name of the query or mutation. Requests with
   * the same names of arguments and fields share a template object, so that they are planned once. A connection selects
   * `edges { cursor node }` and `pageInfo`; a list with a total count selects `items`.
   * @throws SvcError BAD_USER_INPUT for an argument that is unknown, missing or of another type, and for an unknown
   * field
   */
  make(operation: QueryModel | MutationModel, request?: OperationRequest): Operation
  /**
   * Returns the selection that {@link OperationMaker.make} uses for a request, so that an API description can contain
   * the type of the result. It does not depend on arguments.
   * @throws SvcError BAD_USER_INPUT for an unknown field
   */
  selectionOf(operation: QueryModel | MutationModel, request?: Pick<OperationRequest, 'fields' | 'count'>): Selection
}

export interface OperationMakerOptions extends ChooseOptions {
  /** Generated input types, to share them with other code. Default: new ones. */
  readonly inputs?: GeneratedInputs | undefined
  /** Maximum size in bytes of the cache of templates, which have the plans of operations. Default 16 MiB. */
  readonly maxBytes?: number | undefined
  /** Returns the selection of a type for requests that name no fields. Default: {@link selectionOf}. */
  readonly shown?: ((named: NamedType) => Selection) | undefined
  /**
   * `true`: lists with a `limit` read one row more than that, from which `rootsOf` sees whether there is a next page.
   */
  readonly lookAhead?: boolean | undefined
}

interface Kept {
  readonly template: OperationTemplate
  bytes: number
}

/** An argument of an operation, with its coercer. */
interface Known extends ShapeField {
  readonly coerce: Coercer
}

const MOST_BYTES = 16_777_216
const BYTES = 4000
/** Longest cached key. A template with a longer one is likely to be used once. */
const LONGEST_KEY = 2000

/** Creates an {@link OperationMaker} with an empty cache of templates. */
export function createOperationMaker(options: OperationMakerOptions = {}): OperationMaker {
  const { inputs = createGeneratedInputs(), maxBytes = MOST_BYTES } = options
  const known = new WeakMap<object, ReadonlyMap<string, Known>>()
  const kept = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes })

  function knownOf(operation: QueryModel | MutationModel): ReadonlyMap<string, Known> {
    let found = known.get(operation)
    if (found === undefined) {
      const shapes = [...argumentsOfOperation(operation, inputs).values()]
      found = new Map(shapes.map((each) => [each.name, { ...each, coerce: compileCoercer(each.type, each.shape) }]))
      known.set(operation, found)
    }
    return found
  }

  function templateOf(
    operation: QueryModel | MutationModel,
    names: readonly string[],
    request: OperationRequest,
  ): OperationTemplate {
    const key = valueKey([operation.kind, operation.wireName, names, request.fields, request.count === true])
    const found = key === null ? undefined : kept.get(key)
    if (found !== undefined) return found.template
    const onPlanned = (bytes: number): void => {
      made.bytes += bytes
      // Updates the weight in the cache; a template that was evicted in the meantime is not added again.
      if (key !== null && kept.delete(key)) kept.set(key, made)
    }
    const template = build(operation, names, knownOf(operation), request, options, onPlanned)
    const made: Kept = { template, bytes: BYTES }
    if (key !== null && key.length <= LONGEST_KEY) kept.set(key, made)
    return template
  }

  return {
    argumentsOf: knownOf,
    selectionOf: (operation, request = {}) => select(operation, request, options),
    make(operation, request = {}) {
      const variables = readArguments(operation, knownOf(operation), request.arguments ?? {})
      return { template: templateOf(operation, Object.keys(variables), request), variables }
    },
  }
}

/** Reads arguments in the order of the schema instead of the client's, so that equal arguments share a template. */
function readArguments(
  { wireName }: QueryModel | MutationModel,
  known: ReadonlyMap<string, Known>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const unknown = Object.keys(given).find((name) => !known.has(name))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known.keys()) || ` There are: ${listNames(known.keys()) || 'none'}`
    const shown = shorten(unknown, 100)
    throw refused(`"${wireName}" has no argument "${shown}".${hint}`, shown)
  }
  const values: Record<string, unknown> = Object.create(null)
  for (const { name, type, coerce, default: byDefault } of known.values()) {
    const isGiven = Object.hasOwn(given, name) && given[name] !== undefined
    if (!isGiven && byDefault === undefined) {
      if (!type.nullable) throw refused(`"${wireName}" needs the argument "${name}" (${printTypeRef(type)}).`, name)
      continue
    }
    const value = isGiven ? given[name] : byDefault
    try {
      values[name] = coerce(value)
    } catch (error) {
      throw toInputError(`Argument "${name}"`, [name], value, error)
    }
  }
  return values
}

function build(
  operation: QueryModel | MutationModel,
  names: readonly string[],
  known: ReadonlyMap<string, Known>,
  request: OperationRequest,
  options: OperationMakerOptions,
  onPlanned: (bytes: number) => void,
): OperationTemplate {
  const { kind, wireName } = operation
  const variables: VariableDeclaration[] = names.map((name) => ({
    name,
    type: known.get(name)!.type,
    default: undefined,
  }))
  const args: ArgumentNode[] = variables.map(({ name, type }) => ({ name, value: { kind: 'variable', name, type } }))
  const selection = select(operation, request, options)
  const root = {
    kind: 'operation',
    responseKey: wireName,
    operation,
    arguments: args,
    selection,
    location: null,
  } as const
  const looksAhead =
    options.lookAhead === true && operation.kind === 'query' && operation.list && names.includes('limit')
  return {
    kind,
    name: null,
    roots: [looksAhead ? { ...root, lookAhead: true } : root],
    variables,
    onPlanned,
  }
}

function select(
  operation: QueryModel | MutationModel,
  request: OperationRequest,
  { shown = (named) => selectionOf(named), ...options }: OperationMakerOptions,
): Selection {
  const { fields, count = false } = request
  const { kind, named } = operation
  const rows = fields === undefined ? shown(named) : chooseFields(named, fields, options)
  return kind === 'query' ? wrap(operation, rows, count) : rows
}

const PAGE = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'].map((name) => ({ name, responseKey: name }))

function wrap({ relay, list, autoParams, named }: QueryModel, rows: Selection, count: boolean): Selection {
  const total = count ? [{ field: 'totalCount', responseKey: 'totalCount' } as const] : []
  if (relay) {
    const members = [
      { name: 'cursor', responseKey: 'cursor' },
      { name: 'node', responseKey: 'node', selection: rows },
    ] as const
    return {
      kind: 'connection',
      typeName: `${named.name}Connection`,
      fields: [
        ...total,
        { field: 'pageInfo', responseKey: 'pageInfo', members: PAGE },
        { field: 'edges', responseKey: 'edges', members },
      ],
    }
  }
  if (!list || !autoParams.total_count) return rows
  const items = { field: 'items', responseKey: 'items', selection: rows } as const
  return { kind: 'list', typeName: `${named.name}List`, fields: [...total, items] }
}

function refused(message: string, name: string): SvcError {
  return new SvcError('BAD_USER_INPUT', message, { details: { path: [name] } })
}
