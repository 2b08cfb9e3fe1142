import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { LaidFilter, RowRef } from '../../../contract/plan/stored-value.ts'
import type { CompiledSource } from '../../../schema/compiled.ts'
import type { ObjectType, SchemaModel } from '../../../schema/model.ts'
import type { PlanValue } from './plan-value.ts'
import type { PlanSettings } from './settings.ts'

/** What the planner needs and collects while it plans one operation. */
export interface PlanContext {
  readonly schema: SchemaModel
  readonly settings: PlanSettings
  /**
   * Variables of the planned request. A plan may depend on their structure, but not on their values, because later
   * requests use it with other values.
   */
  readonly variables: Readonly<Record<string, unknown>>
  /** Response keys from the root to the field that is being planned. */
  readonly path: readonly string[]
  /**
   * Sizes for limits and for the weight of the plan. `conditions`: all conditions; `asked`: those of the client among
   * them; `relations`: relations in filters of the client.
   */
  readonly counts: { nodes: number; conditions: number; asked: number; relations: number }
  /** Restrictions that `authorize` hooks declared; `null`: none that the plan depends on. */
  readonly access: Access | null
  /**
   * What a filter's values are read from: the variables of the request, or the conditions of `authorize` hooks. The
   * latter may use fields that clients cannot filter by.
   */
  readonly bound: 'variables' | 'access'
  /** Row filters in SQL (`row_filter`, `rowFilter`) by view or table, then by type, so that each is planned once. */
  readonly laid: Map<CompiledSource, Map<string, readonly LaidFilter[]>>
  /** Names of the claims and context values that access rules of the plan read; the planner adds to the sets. */
  readonly caller: { readonly claims: Set<string>; readonly context: Set<string> }
  /** The function `planWhere`, passed as a value to avoid an import cycle between filters and rows. */
  readonly planFilter: PlanFilter
}

export type PlanFilter = (
  context: PlanContext,
  type: ObjectType,
  row: RowRef,
  value: PlanValue,
  place: string,
) => Condition | null

export function createPlanContext(
  schema: SchemaModel,
  settings: PlanSettings,
  variables: Readonly<Record<string, unknown>>,
  planFilter: PlanFilter,
  access?: Access,
): PlanContext {
  return {
    schema,
    settings,
    variables,
    path: [],
    counts: { nodes: 0, conditions: 0, asked: 0, relations: 0 },
    access: access === undefined || access.variant === '' ? null : access,
    bound: 'variables',
    laid: new Map(),
    caller: { claims: new Set(), context: new Set() },
    planFilter,
  }
}

/** Returns a copy of the context for planning the field with a response key. */
export function below(context: PlanContext, key: string): PlanContext {
  return { ...context, path: [...context.path, key] }
}

/**
 * The part of the plan context that errors about arguments need: the path of the field, and where filter values come
 * from.
 */
export type ErrorPlace = Pick<PlanContext, 'path'> & Partial<Pick<PlanContext, 'bound'>>

/**
 * Creates the BAD_USER_INPUT error for an invalid argument. In a condition of a hook, it is SVC_ACCESS_INVALID.
 * @param place path of the value in the arguments: `where.title._eq`
 */
export function inputError(context: ErrorPlace, place: string, message: string): SvcError {
  if (context.bound === 'access') return accessError(context, place, message)
  return new SvcError('BAD_USER_INPUT', `${placeOf(context.path, place)}: ${message}`, {
    path: context.path.slice(0, 1),
    details: { argument: place },
  })
}

/**
 * Creates the VALIDATION_ERROR for a request that exceeds a limit. In a condition of a hook, it is SVC_ACCESS_INVALID.
 * @param place path of the value in the arguments: `where.title._eq`
 */
export function limitError(context: ErrorPlace, place: string, message: string): SvcError {
  if (context.bound === 'access') return accessError(context, place, message)
  return new SvcError('VALIDATION_ERROR', `${placeOf(context.path, place)}: ${message}`, {
    path: context.path.slice(0, 1),
    details: { argument: place },
  })
}

/** Makes the error of an invalid condition of a hook. */
function accessError(context: ErrorPlace, place: string, message: string): SvcError {
  return new SvcError('SVC_ACCESS_INVALID', `${place}: ${message}`, { path: context.path.slice(0, 1) })
}

function placeOf(path: readonly string[], place: string): string {
  return `Argument "${place}" of "${path.join('.')}"`
}
