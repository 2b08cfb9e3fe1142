import { committedOutcome } from '../../../base/errors/committed-outcome.ts'
import { errorAt } from '../../../base/errors/error-at.ts'
import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Operation, OperationTemplate } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import { complete } from '../../json/complete.ts'
import type { MemberShape, ValueShape } from '../../json/value-shape.ts'
import { plansOf } from '../../plan/plan-cache.ts'
import { completionOf } from '../read/completion.ts'
import type { Link } from './cut-selection.ts'
import { type FoundKey, findKeys } from './found-key.ts'
import type { Hop, OperationPart, RelatedParts } from './operation-part.ts'
import { type HopAnswer, type LinkAnswer, readHop } from './read-related.ts'
import { isReported, placeErrors } from './related-errors.ts'

/**
 * Runs the part of an operation that reads related rows in their database, including relations of these rows into
 * further databases.
 */
export type ReadPart = (operation: Operation, part: OperationPart) => Promise<Result>

/**
 * Replaces the keys of related rows in the response of a database by the rows, which it reads from other databases. A
 * missing row is null, or absent from a list; nulls propagate as usual. If the operation is a committed mutation,
 * failures become errors of fields.
 * @param result response of the first database, with keys in the positions of relations
 * @param maxResultBytes maximum length of the joined JSON; Infinity: no limit
 * @param read runs the part of the operation that reads the related rows
 * @throws ResultTooLarge: the joined JSON is too long; SvcError TIMEOUT: the deadline has passed
 */
export async function withRelated(
  operation: Operation,
  related: RelatedParts,
  result: Result,
  maxResultBytes: number,
  read: ReadPart,
): Promise<Result> {
  const { data, writes } = result
  const own = (result.errors ?? []).map((error) =>
    errorAt(error, { path: shownPath(error.path, related), locations: error.locations }),
  )
  const rest = writes === undefined ? {} : { writes }
  if (data === null) return { data, errors: own.length === 0 ? null : own, ...rest }
  const { whole, places, hops } = related
  const found = findKeys(data, places)
  const committed = isCommitted(operation)
  const readOne = (hop: Hop): Promise<HopAnswer> => readHop(operation, hop, found, (part) => read(part, hop.part))
  const answers = await Promise.all(
    hops.map((hop) => (committed ? readOne(hop).catch((error: unknown) => lostHop(hop, error)) : readOne(hop))),
  )
  const put = (given: readonly HopAnswer[]): PutTogether =>
    putRelated(data, found, new Map(given.flatMap(({ links }) => [...links])), maxResultBytes)
  let answered: readonly HopAnswer[] = answers
  let together: PutTogether
  try {
    together = put(answers)
  } catch (error) {
    if (!committed || !(error instanceof ResultTooLarge)) throw error
    answered = hops.map((hop) => lostHop(hop, error))
    together = put(answered)
  }
  let paths: readonly FoundKey[] | null = null
  const findPaths = (): readonly FoundKey[] => (paths ??= findKeys(data, places, true))
  const failed = answered.flatMap((answer) =>
    placeErrors(answer.errors, answer.links, findPaths, operation.changed !== undefined),
  )
  const { text, lacks } = together
  const climbed = lacks ? complete(text, nullsOf(whole, operation), []) : { text, errors: [] }
  const known = [...own, ...failed]
  failed.push(...climbed.errors.filter(({ path = [] }) => !isReported(known, path)))
  const errors: readonly SvcError[] = [...own, ...(committed ? failed.map(committedOutcome) : failed)]
  return { data: climbed.text, errors: errors.length === 0 ? null : errors, ...rest }
}

/** Replaces keys of links in a path by the response keys of their relations. The first key is that of a root and stays. */
function shownPath(path: readonly (string | number)[] | undefined, { hops }: RelatedParts) {
  const shown = new Map(hops.flatMap(({ links }: Hop) => links.map(({ key, relation }) => [key, relation.responseKey])))
  return path?.map((key, index) => (typeof key === 'string' && index > 0 ? (shown.get(key) ?? key) : key))
}

const KEY = 'complete:nulls'

/** Returns a shape that checks nulls alone. Leaf values were checked when they were read. */
function nullsOf(template: OperationTemplate, { changed }: Operation): MemberShape {
  const known = plansOf(template).get(KEY) as MemberShape | undefined
  if (known !== undefined) return known
  const { whole } = completionOf(template)
  const shape = bare(whole.shape)
  const nulls = { ...whole, shape: changed === undefined ? shape : { ...shape, members: nullableRows(shape.members) } }
  plansOf(template).set(KEY, nulls)
  return nulls
}

/** Adapts the shape to the answer about events, which has a list of rows instead of the root. */
function nullableRows(members: ValueShape['members']): ValueShape['members'] {
  if (members === null) return members
  return new Map(
    [...members].map(([key, member]) => {
      const row = { ...member.shape, nullable: true }
      return [key, { ...member, shape: { ...row, members: null, items: row } }]
    }),
  )
}

function bare({ nullable, items, members }: ValueShape): ValueShape {
  return {
    nullable,
    items: items === null ? null : bare(items),
    members:
      members === null
        ? null
        : new Map([...members].map(([key, member]) => [key, { ...member, shape: bare(member.shape) }])),
    leaf: null,
    serialize: null,
    masks: null,
  }
}

/** Tests whether the writes of an operation are committed before its relations into other databases are read. */
function isCommitted({ template, write }: Operation): boolean {
  return template.kind === 'mutation' && write?.dryRun !== true
}

/** Converts the failure of a hop after COMMIT, also a deadline, into errors of its fields. The write stays committed. */
function lostHop({ links }: Hop, error: unknown): HopAnswer {
  const failure =
    error instanceof SvcError
      ? error
      : new SvcError('INTERNAL_SERVER_ERROR', 'What was written could not be read.', { cause: error })
  const { code, message, details, status, cause } = failure
  return {
    links: new Map(links.map((link) => [link, { indexes: new Map(), texts: null }])),
    errors: links.map(({ key, relation: { location } }) => {
      const locations = location === null ? undefined : [location]
      return new SvcError(code, message, { details, status, cause, path: [key], locations })
    }),
  }
}

interface PutTogether {
  readonly text: string
  /** A non-null relation is null. */
  readonly lacks: boolean
}

/**
 * Replaces the keys in the answer of a database by the related rows of other databases. All other text is unchanged.
 * @throws ResultTooLarge
 */
function putRelated(
  text: string,
  found: readonly FoundKey[],
  answers: ReadonlyMap<Link, LinkAnswer>,
  maxResultBytes: number,
): PutTogether {
  let lacks = false
  let length = text.length
  let last = 0
  let whole = ''
  for (const each of found) {
    const { responseKey, field } = each.link.relation
    const value = textFor(each, answers.get(each.link)!)
    if (value === 'null' && !field.type.nullable) lacks = true
    const member = `${JSON.stringify(responseKey)}:${value}`
    length += member.length - (each.to - each.from)
    // A row may be inserted many times, so the size is checked before the text is built.
    if (length > maxResultBytes) throw new ResultTooLarge(maxResultBytes)
    whole += text.slice(last, each.from) + member
    last = each.to
  }
  return { text: whole + text.slice(last), lacks }
}

/** Returns the text for a key: its rows; `null` or an empty list when there are none. */
function textFor({ key, link }: FoundKey, { indexes, texts }: LinkAnswer): string {
  if (texts === null) return 'null'
  const index = key === null ? undefined : indexes.get(key)
  if (index === undefined) return link.relation.field.list ? '[]' : 'null'
  return texts[index] ?? 'null'
}
