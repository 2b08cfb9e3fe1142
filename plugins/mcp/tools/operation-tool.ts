import { type ArgumentShapes, mayCall, type OperationMaker } from '../../../core/doors/front.ts'
import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'
import { callOperation } from './call-operation.ts'
import type { McpCall } from './mcp-tool.ts'
import type { CallableOperation, Curation, OperationToolParts, PreparedTool } from './prepared-tool.ts'
import type { Tool, ToolDefinition } from './tool.ts'
import { inputSchemaOf, NEXT_OFFSET, outputSchemaOf } from './tool-schemas.ts'

const PAGE_ARGUMENTS = ['limit', 'first', 'last']

/**
 * Creates the MCP tool that runs a query or mutation.
 * @param curation names, hidden and fixed arguments from the configuration
 */
export function operationTool(operation: CallableOperation, curation: Curation, parts: OperationToolParts): Tool {
  const prepared = prepare(operation, curation, parts)
  return {
    operation,
    definition: define(prepared, parts.maker),
    streams: prepared.streams ? 'progress' : 'never',
    mayCall: (exchange: Exchange): MaybePromise<boolean> => mayCall(parts.scope.engine, exchange, operation),
    call: (call: McpCall): Promise<string> => callOperation(prepared, parts, call),
  }
}

/** Can the rows be streamed? Lists can; connections cannot, because their rows have a wrapper. */
function isStreamable(operation: CallableOperation): boolean {
  return operation.kind === 'query' && operation.list && !operation.relay && !operation.autoParams.total_count
}

function prepare(operation: CallableOperation, curation: Curation, { maker, pages }: OperationToolParts): PreparedTool {
  const shapes = maker.argumentsOf(operation)
  const isQuery = operation.kind === 'query'
  const automatic = PAGE_ARGUMENTS.filter((name) => isQuery && shapes.has(name) && !operation.arguments.has(name))
  const hasRows =
    operation.named.kind !== 'scalar' && operation.named.kind !== 'enum' && operation.named.kind !== 'input'
  const counts = isQuery && (operation.relay || (operation.list && operation.autoParams.total_count))
  const closed = closedIn(curation)
  const isOpen = (name: string): boolean => shapes.has(name) && !closed.has(name)
  const isPaged =
    automatic.includes('limit') && isOpen('limit') && isOpen('offset') && operation.wireName !== NEXT_OFFSET
  return {
    operation,
    curation,
    shapes,
    closed,
    pages: { ...pages, bounds: new Set(automatic) },
    fields: hasRows && curation.fields === undefined ? freeName('fields', shapes) : null,
    count: counts ? freeName('count', shapes) : null,
    isPaged,
    streams: isPaged && isStreamable(operation),
  }
}

const ENDS = ['first', 'last']

/** `first` and `last` of a connection exclude each other: if the configuration fixes one, agents cannot set the other. */
function closedIn({ fixed, hidden }: Curation): ReadonlySet<string> {
  const names = [...Object.keys(fixed), ...hidden]
  return new Set(ENDS.some((name) => Object.hasOwn(fixed, name)) ? [...names, ...ENDS] : names)
}

/** Returns the name of an argument of the tool, or another name if the operation has an argument with this name. */
function freeName(name: string, shapes: ArgumentShapes): string {
  return shapes.has(name) ? freeName(`_${name}`, shapes) : name
}

function define(prepared: PreparedTool, maker: OperationMaker): ToolDefinition {
  const { operation, curation, shapes, closed, pages, fields, count, isPaged } = prepared
  const names = [...shapes.keys()].filter((name) => !closed.has(name))
  return {
    name: curation.name ?? operation.wireName,
    title: curation.title ?? titleOf(curation.name ?? operation.wireName),
    description: curation.description ?? describeOperation(operation),
    inputSchema: inputSchemaOf(operation, shapes, { names, fields, count, pages }),
    outputSchema: outputSchemaOf(operation, maker, {
      isPaged,
      count: count !== null,
      fields: curation.fields,
    }),
    annotations: annotationsOf(operation),
  }
}

/** Title for people: `booksByAuthor` or `open_orders` as words. */
function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** Description for the model, if the author gives none. */
function describeOperation(operation: CallableOperation): string {
  const text = operation.description ?? plainDescription(operation)
  return operation.deprecated === undefined ? text : `${text} Deprecated: ${operation.deprecated}`
}

function plainDescription(operation: CallableOperation): string {
  const { list, named } = operation
  const rows = list ? `rows of type ${named.name}` : `one ${named.name}`
  if (operation.kind === 'query') return `Reads ${rows}.`
  const verbs = { CREATE: 'Creates', UPDATE: 'Changes', DELETE: 'Deletes', CUSTOM: 'Runs an action and answers' }
  return `${verbs[operation.operation]} ${rows}.`
}

/** Annotations about the effect of a call. They are hints for clients and protect nothing. */
function annotationsOf(operation: CallableOperation): object {
  const closed = { openWorldHint: false }
  if (operation.kind === 'query') return { readOnlyHint: true, ...closed }
  return { readOnlyHint: false, destructiveHint: operation.operation !== 'CREATE', ...closed }
}
