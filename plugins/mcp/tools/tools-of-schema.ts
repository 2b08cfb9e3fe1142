import {
  compileCoercer,
  createOperationMaker,
  fieldChoice,
  type NamedType,
  type OperationMaker,
} from '../../../core/doors/front.ts'
import {
  didYouMean,
  type FieldModel,
  type FieldSelection,
  listNames,
  type ObjectSelection,
  type ObjectType,
  type SchemaModel,
  type Selection,
  SvcError,
} from '../../../core/doors/plugin.ts'
import { operationTool } from './operation-tool.ts'
import { type CallableOperation, type Curation, type OperationToolParts, UNCURATED } from './prepared-tool.ts'
import type { Tool } from './tool.ts'

/** Maximum depth of fields that an agent can choose: the row, and two levels below it. */
const MAX_DEPTH = 3

/** A tool of the configuration: an operation of the schema with a name, texts and arguments of its own. */
interface CuratedTool {
  readonly name: string
  readonly operation: string
  readonly title?: string
  readonly description?: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly hide: readonly string[]
  readonly fields?: readonly string[]
}

/** Options of `[svc.mcp]` that decide which operations become tools. */
export interface ToolOptions {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly tools: readonly CuratedTool[]
  readonly default_page_size: number
  readonly max_page_size: number
  readonly max_related_rows: number
}

/**
 * Creates the MCP tools of a schema, by name: first those of `[[svc.mcp.tools]]`, then the operations that `include`
 * and `exclude` allow, in the order of the schema.
 * @throws SvcError SVC_CONFIG_INVALID for an unknown operation or an invalid tool
 */
export function toolsOfSchema(
  schema: SchemaModel,
  options: ToolOptions,
  scope: OperationToolParts['scope'],
): ReadonlyMap<string, Tool> {
  const { include, exclude, tools: curated, max_related_rows: relatedLimit } = options
  const operations = [...schema.queries.values(), ...schema.mutations.values()]
  const find = finderOf(operations)
  const included = new Set(include.map((name) => find(name, 'include')))
  const excluded = new Set(exclude.map((name) => find(name, 'exclude')))
  const bounds = { relatedLimit, maxDepth: MAX_DEPTH, shown: shallowSelection }
  const { default_page_size: byDefault, max_page_size: most } = options
  const parts: OperationToolParts = {
    scope,
    maker: createOperationMaker({ ...bounds, lookAhead: true }),
    streamMaker: createOperationMaker(bounds),
    pages: { byDefault: Math.min(byDefault, most), most },
  }
  const tools = new Map<string, Tool>()
  for (const { name, operation: called, title, description, arguments: fixed, hide, fields } of curated) {
    if (tools.has(name)) throw invalid(`tools: two are named "${name}".`)
    const operation = find(called, `tools "${name}"`)
    if (excluded.has(operation))
      throw invalid(
        `tools "${name}": it calls "${operation.wireName}", which exclude names. Take it out of one of the two: where there are tools of your own, others are offered only if include names them.`,
      )
    const curation = { name, title, description, fixed, hidden: hide, fields }
    const fault = curationFault(operation, curation, parts.maker)
    if (fault !== null) throw invalid(`tools "${name}": ${fault}`)
    tools.set(name, operationTool(operation, curation, parts))
  }
  const isOffered = (operation: CallableOperation): boolean =>
    !excluded.has(operation) && (included.has(operation) || (include.length === 0 && curated.length === 0))
  for (const operation of operations.filter(isOffered)) {
    if (!tools.has(operation.wireName)) tools.set(operation.wireName, operationTool(operation, UNCURATED, parts))
  }
  return tools
}

/** Finds operations by declared name or wire name. */
function finderOf(operations: readonly CallableOperation[]): (name: string, place: string) => CallableOperation {
  const known = new Map(operations.flatMap((each) => [[each.name, each] as const, [each.wireName, each] as const]))
  return (name, place) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const names = operations.map(({ wireName }) => wireName)
    const hint = didYouMean(name, known.keys()) || ` There are: ${listNames(names)}`
    throw invalid(`${place}: there is no query or mutation "${name}".${hint}`)
  }
}

function invalid(message: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[svc.mcp] ${message}`)
}

/** Returns the problem of a tool of the configuration; `null`: none. Checked when the schema is loaded, not when an agent calls. */
function curationFault(
  operation: CallableOperation,
  { fixed, hidden, fields }: Curation,
  maker: OperationMaker,
): string | null {
  const shapes = maker.argumentsOf(operation)
  for (const name of [...Object.keys(fixed), ...hidden]) {
    if (shapes.has(name)) continue
    const hint = didYouMean(name, shapes.keys()) || ` There are: ${listNames(shapes.keys()) || 'none'}`
    return `"${operation.wireName}" has no argument "${name}".${hint}`
  }
  for (const name of hidden) {
    const { type, default: byDefault } = shapes.get(name)!
    if (!type.nullable && byDefault === undefined && !Object.hasOwn(fixed, name))
      return `"${name}" is hidden, and every call needs it: give it a value under \`arguments\`.`
  }
  for (const [name, value] of Object.entries(fixed)) {
    const { type, shape } = shapes.get(name)!
    try {
      compileCoercer(type, shape)(value)
    } catch (error) {
      return `the value of "${name}" is none: ${(error as Error).message}`
    }
  }
  try {
    if (fields !== undefined) maker.selectionOf(operation, { fields: fieldChoice(fields) })
  } catch (error) {
    return (error as Error).message
  }
  return null
}

/** Levels of objects in the default selection: the row, and single objects in it. */
const LEVELS = 2

/**
 * Returns the fields that a tool reads by default: scalar fields of the row and of single related objects. Lists of
 * rows are left out, because agents should name them.
 */
export function shallowSelection(named: NamedType): Selection {
  return select(named, LEVELS)
}

function select(named: NamedType, levels: number): Selection {
  if (named.kind === 'object') return objectOf(named, levels)
  if (named.kind !== 'interface' && named.kind !== 'union') return null
  const possible = named.members.map((member) => {
    const { fields, ...rest } = objectOf(member, levels)
    return [member.name, { ...rest, fields: [TYPE_NAME, ...fields] }] as const
  })
  return { kind: 'abstract', possible: new Map(possible) }
}

const TYPE_NAME: FieldSelection = { kind: 'typename', responseKey: '__typename' }

function objectOf(type: ObjectType, levels: number): ObjectSelection {
  return { kind: 'object', type, fields: [...type.fields.values()].flatMap((field) => fieldOf(field, levels)) }
}

function fieldOf(field: FieldModel, levels: number): readonly FieldSelection[] {
  const selection = isComposite(field.named) ? belowOf(field, levels) : null
  if (selection === 'nothing') return []
  const { wireName: responseKey } = field
  return [{ kind: 'field', responseKey, field, arguments: [], selection, location: null, optional: true }]
}

function belowOf({ read, list, named }: FieldModel, levels: number): Selection | 'nothing' {
  if (levels === 1 || (list && read?.from === 'relation')) return 'nothing'
  const selection = select(named, levels - 1)
  return hasFields(selection) ? selection : 'nothing'
}

function isComposite({ kind }: NamedType): boolean {
  return kind === 'object' || kind === 'interface' || kind === 'union'
}

function hasFields(selection: Selection): boolean {
  if (selection?.kind === 'object') return selection.fields.length > 0
  return selection?.kind === 'abstract'
}
