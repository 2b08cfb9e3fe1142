import { createHash } from 'node:crypto'
import { objectText } from '../dialects/postgres/json-text.ts'
import {
  compose,
  jsonColumn,
  type Packed,
  type PackedRead,
  packedStatement,
} from '../dialects/postgres/packed/packed.ts'
import { packedRoot } from '../dialects/postgres/packed/packed-root.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Parameter, Statement } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation, QueryRoot, RootSelection } from '../front/operation.ts'
import type { SchemaModel } from '../schema/model.ts'
import { parameter, render, type SqlFragment, sql } from '../sql/fragment.ts'
import { nodeRootText } from './node-root.ts'
import { cachedPlan } from './plan-cache.ts'
import { createPlanContext, type PlanContext, type ReadGuard } from './plan-context.ts'
import { weighPlan } from './plan-weight.ts'
import { queryRootText } from './query-root.ts'
import type { PlanSettings } from './settings.ts'

export type { ReadGuard } from './plan-context.ts'
export type { PlanSettings } from './settings.ts'

/** A read, planned for all requests of one shape. */
export interface PreparedRead {
  /**
   * One statement whose only row has one text column: the JSON of the object that holds all roots, in response order,
   * or of the value of one root alone. `null`: the database is not needed.
   */
  readonly statement: Statement | null
  /** The JSON text, when there is no statement. */
  readonly constant: string | null
  /**
   * The parameters of one request.
   * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR (values), UNAUTHENTICATED, FORBIDDEN (`inject`, `row_filter`)
   */
  readonly bind: (variables: Operation['variables'], exchange: BindExchange) => readonly Parameter[]
  /** When the text holds one of these, a null may stand where the schema forbids one: parse and complete. */
  readonly nullScan: readonly string[]
  /** The text has leaves that the catalog does not prove: look at each before it is sent. */
  readonly verify: boolean
  /** Lists that `svc.max_rows` bounds; errors of the database name them by index (`readGuardError`). */
  readonly guards: readonly ReadGuard[]
  /** About the memory that it holds, in bytes. */
  readonly bytes: number
  /** The same read where this process writes the JSON, which is faster; `null` when it cannot. */
  readonly packed: PackedRead | null
}

export type BindExchange = Pick<Exchange, 'auth' | 'context'> | null

const NO_PARAMETERS: readonly Parameter[] = []

/**
 * The statement of a query operation. Cached on the template by the shape of the variables, so that a request costs one
 * lookup and the binding of its values.
 * @throws SvcError BAD_USER_INPUT, VALIDATION_ERROR when the operation cannot be planned with these variables
 */
export function prepareRead(operation: Operation, schema: SchemaModel, settings: PlanSettings): PreparedRead {
  return cachedPlan(operation, 'read', schema, settings, planRoots)
}

function planRoots(keep: boolean, operation: Operation, schema: SchemaModel, settings: PlanSettings): PreparedRead {
  const { roots } = operation.template
  if (roots.every((root) => root.kind === 'typename' || root.kind === 'literal')) {
    return constantRead(`{${roots.map((root) => `${JSON.stringify(root.responseKey)}:${constantOf(root)}`).join()}}`)
  }
  const context = createPlanContext(schema, settings, operation.variables)
  const members = roots.map((root) => ({ key: root.responseKey, value: rootText(context, root) }))
  return finish(context, objectText(members), keep, packRoots(keep, operation, schema, settings))
}

/** PostgreSQL's bound for the columns of a row, and then some. */
const MOST_PACKED = 500

function packRoots(
  keep: boolean,
  operation: Operation,
  schema: SchemaModel,
  settings: PlanSettings,
): PackedRead | null {
  const { roots } = operation.template
  if (roots.length > MOST_PACKED) return null
  const context = createPlanContext(schema, settings, operation.variables)
  const parts: (string | Packed)[] = []
  let packs = false
  for (const [index, root] of roots.entries()) {
    parts.push(`${index === 0 ? '{' : ','}${JSON.stringify(root.responseKey)}:`)
    if (root.kind === 'typename' || root.kind === 'literal') {
      parts.push(constantOf(root))
      continue
    }
    const packed = root.kind === 'operation' ? packedRoot(context, root as QueryRoot) : null
    if (packed !== null) packs = true
    parts.push(packed ?? jsonColumn(rootText(context, root)))
  }
  if (!packs) return null
  const { sql: statement, write } = packedStatement(compose([...parts, '}']))
  const { statement: finished, bind, bytes } = finishStatement(statement, keep)
  return {
    statement: finished,
    bind,
    bytes,
    write,
    nullScan: [...context.nulls],
    verify: context.unproven.any,
    guards: context.guards,
    rest: 0,
  }
}

/**
 * One root by itself, for running roots one by one after the statement of all of them failed. The text is the value
 * of the root, without its key.
 */
export function prepareRootAlone(
  operation: Operation,
  index: number,
  schema: SchemaModel,
  settings: PlanSettings,
): PreparedRead {
  return cachedPlan(operation, `read:${index}`, schema, settings, (keep) => {
    const root = operation.template.roots[index]
    if (root === undefined) throw new RangeError(`The operation has no root ${index}`)
    if (root.kind === 'typename' || root.kind === 'literal') return constantRead(constantOf(root))
    const context = createPlanContext(schema, settings, operation.variables)
    return finish(context, rootText(context, root), keep)
  })
}

function constantRead(text: string): PreparedRead {
  return Object.freeze({
    statement: null,
    constant: text,
    bind: () => NO_PARAMETERS,
    bytes: weighPlan({ text, slots: [] }),
    nullScan: [],
    verify: false,
    guards: [],
    packed: null,
  })
}

function constantOf(root: Extract<RootSelection, { kind: 'typename' | 'literal' }>): string {
  return root.kind === 'typename' ? JSON.stringify(root.typeName) : root.json
}

function rootText(context: PlanContext, root: RootSelection): SqlFragment {
  switch (root.kind) {
    case 'typename':
    case 'literal': {
      const text = constantOf(root)
      return sql`${parameter({ read: () => text })}::text`
    }
    case 'node':
      return nodeRootText(context, root)
    case 'operation': {
      if (root.operation.kind !== 'query') {
        throw new SvcError('INTERNAL_SERVER_ERROR', `${root.operation.wireName} is no query.`)
      }
      return queryRootText(context, root as QueryRoot)
    }
  }
}

function finish(
  context: PlanContext,
  text: SqlFragment,
  keep: boolean,
  packed: PackedRead | null = null,
): PreparedRead {
  const { statement, bind, bytes } = finishStatement(sql`SELECT ${text}`, keep)
  return Object.freeze({
    statement,
    constant: null,
    bind,
    bytes: bytes + (packed?.bytes ?? 0),
    nullScan: [...context.nulls],
    verify: context.unproven.any,
    guards: context.guards,
    packed,
  })
}

/** Text, name, binder and weight of a finished statement. */
export function finishStatement(
  fragment: SqlFragment,
  keep: boolean,
): Pick<PreparedRead, 'bind' | 'bytes'> & { readonly statement: Statement } {
  const rendered = render(fragment)
  const { text, slots } = rendered
  const name = keep ? `svc_${createHash('sha1').update(text).digest('hex')}` : null
  const bind: PreparedRead['bind'] =
    slots.length === 0
      ? () => NO_PARAMETERS
      : (variables, exchange) => {
          const input = { variables, exchange }
          const parameters: Parameter[] = new Array(slots.length)
          for (let i = 0; i < slots.length; i++) parameters[i] = slots[i]?.read(input) ?? null
          return parameters
        }
  return { statement: Object.freeze({ name, text, readOnly: true }), bind, bytes: weighPlan(rendered) }
}
