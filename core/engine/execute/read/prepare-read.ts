import type { Operation } from '../../../contract/operation.ts'
import type { ReadPlan } from '../../../contract/plan/read-plan.ts'
import type { PreparedRead } from '../../../contract/prepared-read.ts'
import type { PreparedStream } from '../../../contract/prepared-stream.ts'
import type { StreamForm } from '../../../contract/result-stream.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import { cachedPlan } from '../../plan/plan-cache.ts'
import { type KeysRead, planRead, planRootAlone, planRowsByKeys } from '../../plan/plan-read.ts'
import { planStream } from '../../plan/plan-stream.ts'
import type { EngineSettings } from '../context/context.ts'

/**
 * Prepares the statement of a query operation. It is cached with the template by the shape of the variables, so that a request needs one
 * look-up and binds its values.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR when the operation cannot be planned with these variables
 */
export function prepareRead(operation: Operation, schema: SchemaModel, settings: EngineSettings): PreparedRead {
  return cachedPlan(operation, 'read', schema, settings, prepareRoots)
}

function prepareRoots(
  keep: boolean,
  operation: Operation,
  schema: SchemaModel,
  settings: EngineSettings,
): PreparedRead {
  return prepare(settings, planRead(operation, schema, settings), keep)
}

/**
 * Prepares the statement of a single root field, which is used after the statement of all roots failed. Its result is the value of the
 * root, without a key.
 */
export function prepareRootAlone(
  operation: Operation,
  index: number,
  schema: SchemaModel,
  settings: EngineSettings,
): PreparedRead {
  return cachedPlan(operation, `read:${index}`, schema, settings, (keep) =>
    prepare(settings, planRootAlone(operation, index, schema, settings), keep),
  )
}

/**
 * Prepares a read of rows by keys, which are parameters (`Bind`). The result is JSON of the object, NULL if it does not exist, or of a list.
 * @param kind name of the plan in the template
 * @throws SvcError INTERNAL_SERVER_ERROR when the type has no source with an id
 */
export function prepareRowsByKeys(
  operation: Operation,
  kind: string,
  read: KeysRead,
  schema: SchemaModel,
  settings: EngineSettings,
): PreparedRead {
  return cachedPlan(operation, kind, schema, settings, (keep) =>
    prepare(settings, planRowsByKeys(read, operation.variables, schema, settings, operation.access), keep),
  )
}

/**
 * Prepares the statement of a stream and caches it with the template.
 * @throws SvcError REQUEST_ERROR, BAD_USER_INPUT, VALIDATION_ERROR when the operation cannot be planned with these
 * variables
 */
export function prepareStream(
  operation: Operation,
  form: StreamForm,
  schema: SchemaModel,
  settings: EngineSettings,
): PreparedStream {
  return cachedPlan(operation, form, schema, settings, (keep) =>
    settings.dialect.stream(planStream(operation, form, schema, settings), keep),
  )
}

function prepare(settings: EngineSettings, plan: ReadPlan, keep: boolean): PreparedRead {
  const constant = constantText(plan)
  return constant === null ? settings.dialect.read(plan, keep) : constantRead(constant, plan.weight)
}

function constantRead(constant: string, weight: number): PreparedRead {
  return Object.freeze({
    statement: null,
    constant,
    bind: () => [],
    nullScan: [],
    verify: false,
    guards: [],
    packed: null,
    bytes: weight + constant.length * 2,
  })
}

/** Returns the JSON text of a plan that needs no database; `null` when the plan needs it. */
export function constantText({ roots, alone }: ReadPlan): string | null {
  const texts: string[] = []
  for (const { key, value } of roots) {
    if (value.kind !== 'constant') return null
    texts.push(alone ? value.json : `${JSON.stringify(key)}:${value.json}`)
  }
  return alone ? texts.join() : `{${texts.join()}}`
}
