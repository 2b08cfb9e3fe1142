import { createOperationMaker } from '../../../core/doors/front.ts'
import { didYouMean, listNames, type SchemaModel, SvcError } from '../../../core/doors/plugin.ts'
import type { McpOptions } from '../options.ts'
import { curationFault } from './curation-fault.ts'
import { operationTool } from './operation-tool.ts'
import { type CallableOperation, type OperationToolParts, UNCURATED } from './prepared-tool.ts'
import { shallowSelection } from './shallow-selection.ts'
import type { Tool } from './tool.ts'

/** Objects within objects that an agent may choose fields of: the row and two below it. */
const MAX_DEPTH = 3

export type ToolOptions = Pick<
  McpOptions,
  'include' | 'exclude' | 'tools' | 'default_page_size' | 'max_page_size' | 'max_related_rows'
>

/**
 * The tools of a schema, by name, in its order: those that a team has put together, then every query and mutation that is not
 * left out.
 * @throws SvcError SVC_CONFIG_INVALID: a name that is none, a tool that cannot be
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
  for (const { name, operation: asked, title, description, arguments: fixed, hide, fields } of curated) {
    if (tools.has(name)) throw invalid(`tools: two are named "${name}".`)
    const operation = find(asked, `tools "${name}"`)
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

/** Names as declared or as on the wire. */
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
