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
 * Plans a query and writes its statement. Both are cached for the document and the structure of the variables, such as
 * which of them are absent, so that later requests only bind their values.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR if the operation cannot be planned with these variables
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
 * Writes the statement of a single root field, for a retry after the common statement of all root fields failed. Its
 * result is the JSON value of the field, without the response key.
 * @param index index of the root field in the template
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
 * Writes a statement that reads rows by keys, which are its parameters. It returns the JSON of one object, NULL if it
 * does not exist, or the JSON of a list.
 * @param kind name that distinguishes the plan from other cached plans of the operation
 * @throws SvcError INTERNAL_SERVER_ERROR if the type cannot be read by id
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
 * Writes the statement of a query whose rows are streamed, and caches it for later requests with the same document.
 * @param form `rows`: one JSON object per row; `columns`: one column per field
 * @throws SvcError REQUEST_ERROR, BAD_USER_INPUT, VALIDATION_ERROR if the operation cannot be planned with these
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

/**
 * Returns the JSON response of a query that needs no database, such as one of `__typename` only; `null`: it needs the
 * database.
 */
export function constantText({ roots, alone }: ReadPlan): string | null {
  const texts: string[] = []
  for (const { key, value } of roots) {
    if (value.kind !== 'constant') return null
    texts.push(alone ? value.json : `${JSON.stringify(key)}:${value.json}`)
  }
  return alone ? texts.join() : `{${texts.join()}}`
}
