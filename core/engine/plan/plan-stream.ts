import { SvcError } from '../../base/errors/svc-error.ts'
import type { Operation, QueryRoot, RootSelection } from '../../contract/operation.ts'
import type { StreamPlan } from '../../contract/plan/stream-plan.ts'
import type { StreamForm } from '../../contract/result-stream.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { planWhere } from './conditions/where.ts'
import { below, createPlanContext, type PlanContext } from './context/plan-context.ts'
import type { PlanSettings } from './context/settings.ts'
import { weighPlan } from './plan-read.ts'
import { planUnboundedPage } from './rows/page.ts'
import { planRows } from './rows/query-root.ts'

/** The list in an operation whose rows are streamed: its root field, and the selection of a row. */
export interface StreamRoot {
  readonly root: QueryRoot
  readonly selection: QueryRoot['selection']
  /** Response keys from the root field to the list: one, or two for a `{Type}List`. */
  readonly path: readonly string[]
}

/**
 * Returns the list of an operation whose rows are to be streamed. The operation must have a single root field, a query
 * that returns a list. For a list with a total count, only `items` may be selected.
 * @throws SvcError REQUEST_ERROR: the operation cannot be streamed
 */
export function streamRootOf({ template }: Operation): StreamRoot {
  const [root, ...others] = template.roots
  if (root === undefined || others.length > 0 || !isListQuery(root)) {
    throw new SvcError('REQUEST_ERROR', 'A stream has one root, and that is a query that gives a list.')
  }
  const { selection, responseKey } = root
  if (selection?.kind !== 'list') {
    if (selection?.kind !== 'connection') return { root, selection, path: [responseKey] }
    throw new SvcError('REQUEST_ERROR', `"${responseKey}" gives pages with cursors, which are no stream.`)
  }
  const [items, ...rest] = selection.fields
  if (items?.field !== 'items' || rest.length > 0) {
    throw new SvcError('REQUEST_ERROR', `A stream of "${responseKey}" has its items alone, without their count.`)
  }
  return { root, selection: items.selection, path: [responseKey, items.responseKey] }
}

function isListQuery(root: RootSelection): root is QueryRoot {
  return root.kind === 'operation' && root.operation.kind === 'query' && root.operation.list
}

/**
 * Plans a query whose rows are streamed. `svc.max_rows` does not limit these rows, but it limits lists within a row.
 * @param form `rows`: one JSON object per row; `columns`: one column per field
 * @throws SvcError REQUEST_ERROR: the operation cannot be streamed; BAD_USER_INPUT: an argument is invalid;
 * VALIDATION_ERROR: it exceeds a limit
 */
export function planStream(
  operation: Operation,
  form: StreamForm,
  schema: SchemaModel,
  settings: PlanSettings,
): StreamPlan {
  const { root, selection, path } = streamRootOf(operation)
  const context = createPlanContext(schema, settings, operation.variables, planWhere, operation.access)
  const at = path.reduce((outer: PlanContext, key) => below(outer, key), context)
  const rows = planRows(at, root, { selection }, planUnboundedPage(at, root.arguments))
  if (form === 'columns' && rows.object.kind !== 'object') {
    throw new SvcError(
      'REQUEST_ERROR',
      `The rows of "${root.responseKey}" are of several types, which have no columns.`,
    )
  }
  return Object.freeze({ form, rows, caller: context.caller, weight: weighPlan(context) })
}
