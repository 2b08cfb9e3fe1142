import { type ArgumentShapes, mayCall, type OperationMaker } from '../../../core/doors/front.ts'
import type { Exchange, MaybePromise } from '../../../core/doors/plugin.ts'
import type { McpCall } from '../api.ts'
import { callOperation } from './call-operation.ts'
import type { CallableOperation, Curation, OperationToolParts, PreparedTool } from './prepared-tool.ts'
import type { Tool, ToolDefinition } from './tool.ts'
import { inputSchemaOf, NEXT_OFFSET, outputSchemaOf } from './tool-schemas.ts'
import { annotationsOf, describeOperation, titleOf } from './tool-texts.ts'

const PAGE_ARGUMENTS = ['limit', 'first', 'last']

/** A query or mutation as a tool. */
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

/** Rows of a list one after another; what wraps them cannot be told in parts. */
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

/** Of the two ends of a connection one counts: where the team fixes one, the agent does not choose the other. */
function closedIn({ fixed, hidden }: Curation): ReadonlySet<string> {
  const names = [...Object.keys(fixed), ...hidden]
  return new Set(ENDS.some((name) => Object.hasOwn(fixed, name)) ? [...names, ...ENDS] : names)
}

/** An argument of the author's with this name stays what it is. */
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
