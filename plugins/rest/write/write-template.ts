import {
  type ArgumentNode,
  type FieldSelection,
  type MutationModel,
  type Operation,
  type RootSelection,
  type Selection,
  selectionOf,
  type VariableDeclaration,
  type WriteManner,
} from '../../../core/index.ts'
import type { RestOptions } from '../options.ts'
import { parseSelect } from '../request/parse-select.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { MARK } from '../template/mark.ts'
import { refuseUnused, type SelectContext, selectFields } from '../template/select-fields.ts'

/** What is shown of each row that is written. */
export interface WriteSelection {
  readonly selection: Selection
  /** Has the text numbers of rows that are unwrapped? */
  readonly counts: boolean
}

/**
 * The selection of a write: what `select` says of the row, with the row's id in front, which {@link takeId} takes out.
 * @throws SvcError as `selectFields`
 */
export function writeSelection(route: RestRoute, select: string | null, options: RestOptions): WriteSelection {
  const { named } = route.operation
  if (named.kind !== 'object') return { selection: selectionOf(named), counts: false }
  const context: SelectContext = { embedded: [], maxPageSize: options.max_page_size, embeds: new Map(), counts: false }
  const nodes = select === null ? null : parseSelect(select, options.max_embedding_depth)
  const shown = selectFields(context, named, nodes)
  refuseUnused(context)
  const field = route.resource?.type === named ? named.fields.get('id') : undefined
  if (field === undefined) return { selection: shown, counts: context.counts }
  const id: FieldSelection = {
    kind: 'field',
    responseKey: MARK,
    field,
    arguments: [],
    selection: null,
    location: null,
    optional: true,
  }
  return { selection: { ...shown, fields: [id, ...shown.fields] }, counts: context.counts }
}

const ID = new RegExp(`^\\{"${MARK}":\\s*("(?:[^"\\\\]|\\\\.)*"|[^,}]*)(?:,\\s*|(?=\\}))`)

/** Takes the id out of the text of a row. @returns `id: null` where the row shows none */
export function takeId(text: string): { readonly id: string | null; readonly text: string } {
  const found = ID.exec(text)
  if (found === null) return { id: null, text }
  const id: unknown = JSON.parse(found[1]!)
  return { id: id === null ? null : String(id), text: `{${text.slice(found[0].length)}` }
}

/** One call after the other, each with arguments of its own. */
export function writeOperation(
  mutation: MutationModel,
  calls: readonly Readonly<Record<string, unknown>>[],
  selection: Selection,
  write: WriteManner,
): Operation {
  const declared: VariableDeclaration[] = []
  const variables: Record<string, unknown> = {}
  const roots = calls.map((given, index): RootSelection => {
    const args: ArgumentNode[] = []
    for (const { wireName, type } of mutation.arguments.values()) {
      if (!Object.hasOwn(given, wireName)) continue
      const name = `${index}:${wireName}`
      declared.push({ name, type, default: undefined })
      variables[name] = given[wireName]
      args.push({ name: wireName, value: { kind: 'variable', name, type } })
    }
    return {
      kind: 'operation',
      responseKey: rootKey(index),
      operation: mutation,
      arguments: args,
      selection,
      location: null,
    }
  })
  return { template: { kind: 'mutation', name: null, roots, variables: declared, plans: new Map() }, variables, write }
}

export const rootKey = (index: number): string => `r${index}`
