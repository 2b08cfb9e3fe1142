import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { PlanSettings } from './settings.ts'

/** What one plan collects while it is built. Lives as long as the planning of one operation. */
export interface PlanContext {
  readonly schema: SchemaModel
  readonly settings: PlanSettings
  /** Values of the request that is planned: only their structure may decide anything. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Response keys from the root down to where we are. */
  readonly path: readonly string[]
  readonly counts: { nodes: number; conditions: number }
}

export function createPlanContext(
  schema: SchemaModel,
  settings: PlanSettings,
  variables: Readonly<Record<string, unknown>>,
): PlanContext {
  return { schema, settings, variables, path: [], counts: { nodes: 0, conditions: 0 } }
}

/** The same plan one response key further down. */
export function below(context: PlanContext, key: string): PlanContext {
  return { ...context, path: [...context.path, key] }
}

/**
 * A client's value that its place cannot take.
 * @param place the argument, dotted: `where.title._eq`
 */
export function inputError(context: Pick<PlanContext, 'path'>, place: string, message: string): SvcError {
  return new SvcError('BAD_USER_INPUT', `${placeOf(context.path, place)}: ${message}`, {
    path: context.path.slice(0, 1),
    details: { argument: place },
  })
}

/** A limit that a request exceeds. */
export function limitError(context: Pick<PlanContext, 'path'>, place: string, message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `${placeOf(context.path, place)}: ${message}`, {
    path: context.path.slice(0, 1),
    details: { argument: place },
  })
}

function placeOf(path: readonly string[], place: string): string {
  return `Argument "${place}" of "${path.join('.')}"`
}
