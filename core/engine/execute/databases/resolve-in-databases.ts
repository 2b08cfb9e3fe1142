import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { DEFAULT_DATABASE } from '../../../base/util/database-name.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation, OperationTemplate, RootSelection } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import type { MaybePromise } from '../../../contract/stages.ts'
import { readMembers, writeMembers } from '../../json/json-text.ts'
import { atRoot } from '../context/failure.ts'
import { isNullable } from '../read/read-alone.ts'
import type { OperationPart } from './operation-part.ts'
import { splitOperation } from './split-operation.ts'
import { withRelated } from './with-related.ts'

/** Runs an operation whose root fields all belong to one database; `undefined`: the default database. */
export type RunPart = (exchange: Exchange, operation: Operation, database: string | undefined) => MaybePromise<Result>

/**
 * Runs an operation whose root fields may belong to several databases (docs/guides/several-databases.md). Those of a
 * query run concurrently, with one statement per database; those of a mutation run in series. If a database is
 * unreachable, its root fields fail; if only the default database is involved, the request fails.
 * @param maxResultBytes maximum length of the joined JSON; Infinity: no limit
 * @param run runs the part of one database
 * @throws SvcError SERVICE_UNAVAILABLE (no connection to the database), TIMEOUT (deadline passed); REQUEST_ERROR if a
 * transaction would span two databases
 */
export async function resolveInDatabases(
  exchange: Exchange,
  operation: Operation,
  maxResultBytes: number,
  run: RunPart,
): Promise<Result> {
  const isWrite = operation.template.kind === 'mutation'
  const { schema } = exchange.generation
  const parts = splitOperation(operation, schema, isWrite)
  if (isWrite) checkManner(operation, parts, schema)
  const [first, ...others] = parts as readonly [OperationPart, ...OperationPart[]]
  if (others.length === 0 && first.database === undefined && first.related === null) {
    return run(exchange, operation, undefined)
  }
  if (operation.form !== undefined) refuseRelated(parts)
  const runPart = async (asked: Operation, part: OperationPart): Promise<Result> => {
    const { database, template, related } = part
    const own = template === asked.template ? asked : { ...asked, template }
    const result = await run(exchange, own, database)
    return related === null ? result : withRelated(asked, related, result, maxResultBytes, answerOf)
  }
  const answerOf = async (asked: Operation, part: OperationPart): Promise<Result> => {
    try {
      return await runPart(asked, part)
    } catch (error) {
      if (!isOutage(error) || operation.form !== undefined) throw error
      return unavailable(part.template, part.database, error)
    }
  }
  if (others.length === 0 && first.database === undefined) return runPart(operation, first)
  const answer = (part: OperationPart): Promise<Result> => answerOf(operation, part)
  if (others.length === 0) return answer(first)
  return joinResults(operation.template, await answerAll(parts, answer, isWrite), maxResultBytes)
}

async function answerAll(
  parts: readonly OperationPart[],
  answer: (part: OperationPart) => Promise<Result>,
  inSeries: boolean,
): Promise<readonly Result[]> {
  if (!inSeries) return Promise.all(parts.map(answer))
  const results: Result[] = []
  for (const part of parts) {
    const result = await answer(part)
    results.push(result)
    // A non-null root failed, so the remaining roots do not run.
    if (result.data === null) break
  }
  return results
}

/** Rejects relations into other databases in a stream, which never knows all keys. */
function refuseRelated(parts: readonly OperationPart[]): void {
  const [link] = parts.flatMap(({ related }) => related?.hops.flatMap(({ links }) => links) ?? [])
  if (link === undefined) return
  throw new SvcError(
    'REQUEST_ERROR',
    `"${link.path.slice(1).join('.')}" is of another database, whose rows a stream does not have. Leave it out, or ask for a list.`,
  )
}

/** Rejects atomic writes and preconditions that span two databases. */
function checkManner(
  { write }: Operation,
  parts: readonly OperationPart[],
  schema: Exchange['generation']['schema'],
): void {
  if (write === undefined) return
  const { atomic, preconditions = [] } = write
  const asked = preconditions.flatMap(({ operation }) => splitOperation(operation, schema, false))
  if (atomic !== true && preconditions.length === 0) return
  const names = new Set([...parts, ...asked].map(({ database }) => database ?? DEFAULT_DATABASE))
  if (names.size < 2) return
  throw new SvcError(
    'REQUEST_ERROR',
    `A transaction is of one database, and this would be of ${[...names].map((name) => `"${name}"`).join(' and ')}. Send them one after the other.`,
  )
}

/**
 * Joins the answers of the parts of an operation, in the order of its root fields.
 * @throws ResultTooLarge
 */
function joinResults(template: OperationTemplate, results: readonly Result[], maxResultBytes: number): Result {
  const errors = results.flatMap((result) => result.errors ?? [])
  const writes = results.flatMap((result): readonly CommittedWrite[] => result.writes ?? [])
  const shown = {
    errors: errors.length === 0 ? null : errors,
    ...(results.some((result) => result.writes !== undefined) ? { writes } : {}),
  }
  const texts = results.map(({ data }) => data)
  if (texts.some((text) => text === null)) return { data: null, ...shown }
  const found = new Map(texts.flatMap((text) => [...readMembers(text ?? '{}')]))
  const data = writeMembers(
    template.roots.map((root): [string, string] => {
      if (root.kind === 'typename') return [root.responseKey, JSON.stringify(root.typeName)]
      if (root.kind === 'literal') return [root.responseKey, root.json]
      return [root.responseKey, found.get(root.responseKey) ?? 'null']
    }),
  )
  if (data.length > maxResultBytes) throw new ResultTooLarge(maxResultBytes)
  return { data, ...shown }
}

/** Tests for an unreachable database, as opposed to an aborted request. */
function isOutage(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === 'SERVICE_UNAVAILABLE'
}

/**
 * Creates the answer for root fields of an unreachable database: null, with an error for each. Roots without a database, such as
 * `__typename` and introspection, are answered.
 */
function unavailable(template: OperationTemplate, database: string | undefined, outage: SvcError): Result {
  const failure = unavailableError(database, outage)
  const failed = template.roots.filter(asksDatabase)
  const members = template.roots.map((root) => `${JSON.stringify(root.responseKey)}:${constantOf(root)}`)
  return {
    data: failed.every(isNullable) ? `{${members.join()}}` : null,
    errors: failed.map((root) => atRoot(failure, root)),
  }
}

function asksDatabase({ kind }: RootSelection): boolean {
  return kind !== 'typename' && kind !== 'literal'
}

function constantOf(root: RootSelection): string {
  if (root.kind === 'typename') return JSON.stringify(root.typeName)
  return root.kind === 'literal' ? root.json : 'null'
}

function unavailableError(database: string | undefined, outage: SvcError): SvcError {
  const name = database ?? DEFAULT_DATABASE
  const isUnknown = outage.details?.outcome === 'unknown'
  const message = isUnknown ? outage.message : `The database "${name}" cannot be reached.`
  return new SvcError('DATABASE_UNAVAILABLE', message, {
    details: { ...outage.details, database: name },
    retryAfter: outage.retryAfter,
    cause: outage,
  })
}
