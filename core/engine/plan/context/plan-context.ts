import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { LaidFilter, RowRef } from '../../../contract/plan/stored-value.ts'
import type { CompiledSource } from '../../../schema/compiled.ts'
import type { ObjectType, SchemaModel } from '../../../schema/model.ts'
import type { PlanValue } from './plan-value.ts'
import type { PlanSettings } from './settings.ts'

/** State that a plan collects while it is built. It lives as long as the planning of one operation. */
export interface PlanContext {
  readonly schema: SchemaModel
  readonly settings: PlanSettings
  /** Variables of the request that is planned. A plan may depend on their structure only, not on their values. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Response keys from the root to the field that is planned. */
  readonly path: readonly string[]
  /**
   * `asked`: number of conditions from the client, which `conditions` includes; `relations`: number of relations in the
   * client's filters.
   */
  readonly counts: { nodes: number; conditions: number; asked: number; relations: number }
  /** Restrictions from `authorize` that the plan depends on; `null`: there are none. */
  readonly access: Access | null
  /** The source of a filter's values: the request, or the conditions of `authorize`, which may use every field. */
  readonly bound: 'variables' | 'access'
  /** SQL filters on sources, by source and type; each is planned once. */
  readonly laid: Map<CompiledSource, Map<string, readonly LaidFilter[]>>
  /** Collects the values of the caller that rules of the schema read. */
  readonly caller: { readonly claims: Set<string>; readonly context: Set<string> }
  /** The function `planWhere`, passed as a value to avoid a cyclic import: filters open rows, and rows have filters. */
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

/** Returns the context for the field with this response key. */
export function below(context: PlanContext, key: string): PlanContext {
  return { ...context, path: [...context.path, key] }
}

/** Position of an invalid value, for error messages. */
export type ErrorPlace = Pick<PlanContext, 'path'> & Partial<Pick<PlanContext, 'bound'>>

/** Makes the error of an invalid value of the client. @param place path of the argument with dots: `where.title._eq` */
export function inputError(context: ErrorPlace, place: string, message: string): SvcError {
  if (context.bound === 'access') return accessError(context, place, message)
  return new SvcError('BAD_USER_INPUT', `${placeOf(context.path, place)}: ${message}`, {
    path: context.path.slice(0, 1),
    details: { argument: place },
  })
}

/** Makes the error of a request that exceeds a limit. */
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
