import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'
import { identifier, type SqlFragment } from '../sql/fragment.ts'
import type { PlanSettings } from './settings.ts'

/** A list without a limit: what the database says about it when it is longer than `max_rows`. */
export interface ReadGuard {
  /** Response keys down to the list, without indexes. */
  readonly path: readonly string[]
}

/** What one plan collects while it is built. Lives as long as the planning of one statement. */
export interface PlanContext {
  readonly schema: SchemaModel
  readonly settings: PlanSettings
  /** Values of the request that is planned: only their structure may decide anything. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Response keys from the root down to where we are. */
  readonly path: readonly string[]
  readonly guards: ReadGuard[]
  /** Texts whose presence in the result means that a null, or no number, may stand where none may. */
  readonly nulls: Set<string>
  /** Leaves whose value the catalog does not prove to be one of their type, in what the database writes. */
  readonly unproven: { any: boolean }
  readonly counts: { aliases: number; conditions: number }
}

export function createPlanContext(
  schema: SchemaModel,
  settings: PlanSettings,
  variables: Readonly<Record<string, unknown>>,
): PlanContext {
  const counts = { aliases: 0, conditions: 0 }
  return { schema, settings, variables, path: [], guards: [], nulls: new Set(), unproven: { any: false }, counts }
}

/** The same plan one response key further down. */
export function below(context: PlanContext, key: string): PlanContext {
  return { ...context, path: [...context.path, key] }
}

/** A table alias that no other level uses: `"t1"`. */
export function nextAlias(context: PlanContext): SqlFragment {
  context.counts.aliases += 1
  return identifier(`t${context.counts.aliases}`)
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
