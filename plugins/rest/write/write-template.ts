import { type ArgumentNode, coerceInput, selectionOf, type VariableDeclaration } from '../../../core/doors/front.ts'
import type {
  FieldSelection,
  MutationModel,
  OperationTemplate,
  RootSelection,
  Selection,
} from '../../../core/doors/plugin.ts'
import { parseSelect } from '../request/parse-select.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import { rootKey } from '../request/row-key.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { MARK } from '../template/mark.ts'
import { refuseUnused, type SelectContext, selectFields } from '../template/select-fields.ts'
import type { TemplateCache } from '../template/template-cache.ts'

/** The selection of each written row. */
interface WriteSelection {
  readonly selection: Selection
  /** Does the response text contain numbers of rows to unwrap? */
  readonly counts: boolean
  /** Deprecation reason of a field in `select`. */
  readonly deprecated: string | undefined
}

/**
 * Builds the selection of a write: `select`, with the id of the row in front, which {@link takeId} removes again.
 * @throws SvcError as `selectFields`
 */
function writeSelection(route: RestRoute, select: string | null, options: RequestLimits): WriteSelection {
  const { named } = route.operation
  if (named.kind !== 'object') return { selection: selectionOf(named), counts: false, deprecated: undefined }
  const context: SelectContext = {
    embedded: [],
    maxPageSize: options.max_page_size,
    embeds: new Map(),
    counts: false,
    deprecated: undefined,
  }
  const nodes = select === null ? null : parseSelect(select, options.max_embedding_depth)
  const shown = selectFields(context, named, nodes)
  refuseUnused(context)
  const { counts, deprecated } = context
  const field = route.resource?.type === named ? named.fields.get('id') : undefined
  if (field === undefined) return { selection: shown, counts, deprecated }
  const id: FieldSelection = {
    kind: 'field',
    responseKey: MARK,
    field,
    arguments: [],
    selection: null,
    location: null,
    optional: true,
  }
  return { selection: { ...shown, fields: [id, ...shown.fields] }, counts, deprecated }
}

const ID = new RegExp(`^\\{"${MARK}":\\s*("(?:[^"\\\\]|\\\\.)*"|[^,}]*)(?:,\\s*|(?=\\}))`)

/**
 * Removes the marked id, which REST adds to the selection of a write, from the JSON text of a row.
 * @returns the id, `null` if the row has none; and the remaining text
 */
export function takeId(text: string): { readonly id: string | null; readonly text: string } {
  const found = ID.exec(text)
  if (found === null) return { id: null, text }
  const id: unknown = JSON.parse(found[1]!)
  return { id: id === null ? null : String(id), text: `{${text.slice(found[0].length)}` }
}

/** The mutation operation for REST writes that differ only in values. It is cached with its plans. */
export interface WriteTemplate extends WriteSelection {
  readonly template: OperationTemplate
  /** Approximate memory of the template and its plans, in bytes. */
  bytes: number
}

type Call = Readonly<Record<string, unknown>>

const BYTES = 1500
/** Maximum number of calls in a cached template. */
const MOST_KEPT = 20

/**
 * Returns the operation that calls a mutation once per element of `calls`, from the cache if possible. Argument values
 * are variables.
 * @param select value of the query parameter `select`; `null`: all fields
 * @throws SvcError UNKNOWN_PARAMETER or BAD_REQUEST for an invalid `select`
 */
export function writeTemplate(
  templates: TemplateCache,
  route: RestRoute,
  mutation: MutationModel,
  calls: readonly Call[],
  select: string | null,
  options: RequestLimits,
): WriteTemplate {
  const build = (onPlanned?: (bytes: number) => void): WriteTemplate => {
    const shown = writeSelection(route, select, options)
    const template = templateOf(mutation, calls, shown.selection, onPlanned)
    return { ...shown, template, bytes: BYTES * calls.length }
  }
  if (calls.length === 0 || calls.length > MOST_KEPT) return build()
  const names = calls.map((given) => Object.keys(given).join(',')).join(';')
  const chosen = select === null ? '' : `${select.length}:${select}`
  const isUpsert = mutation === route.operation ? '' : 'u'
  return templates.keep(`${route.method} ${route.path}|${isUpsert}${names}|${chosen}`, build)
}

/** Returns the argument values of mutation calls, as variables of the operation from {@link writeTemplate}. */
export function valuesOf(calls: readonly Call[]): Record<string, unknown> {
  const variables: Record<string, unknown> = {}
  for (const [index, given] of calls.entries()) for (const name in given) variables[`${index}:${name}`] = given[name]
  return variables
}

function templateOf(
  mutation: MutationModel,
  calls: readonly Call[],
  selection: Selection,
  onPlanned: ((bytes: number) => void) | undefined,
): OperationTemplate {
  const variables: VariableDeclaration[] = []
  const roots = calls.map((given, index): RootSelection => {
    const args: ArgumentNode[] = []
    for (const { wireName, type, named, default: byDefault } of mutation.arguments.values()) {
      if (Object.hasOwn(given, wireName)) {
        const name = `${index}:${wireName}`
        variables.push({ name, type, default: undefined })
        args.push({ name: wireName, value: { kind: 'variable', name, type } })
      } else if (byDefault !== undefined) {
        // As in GraphQL: hooks and functions receive a default like a value of the client.
        args.push({
          name: wireName,
          value: { kind: 'constant', value: coerceInput(type, named, byDefault, [wireName]) },
        })
      }
    }
    const responseKey = rootKey(index)
    return { kind: 'operation', responseKey, operation: mutation, arguments: args, selection, location: null }
  })
  return { kind: 'mutation', name: null, roots, variables, onPlanned }
}
