import { parseJson, type SchemaModel } from '../../core/doors/plugin.ts'
import type { TestApp } from '../helpers/open-app.ts'
import { worldOf } from '../helpers/plan-world.ts'
import { Aims } from './aims.ts'
import { answerText, compareAnswer } from './compare-answer.ts'
import { Coverage } from './coverage.ts'
import type { Maker } from './generate/filters.ts'
import { makeAimed, makeRequest, type Scope, withOtherVariables } from './generate/requests.ts'
import { type Target, turnsOf } from './generate/targets.ts'
import { type Printed, printRequest } from './print-request.ts'
import { Random } from './random.ts'
import { type Answer, Reference } from './reference/answer.ts'
import type { Lists } from './reference/lists.ts'
import type { Sources } from './reference/rows.ts'
import { samplesOf } from './reference/samples.ts'
import type { Request } from './request.ts'
import { smaller } from './shrink.ts'
import { Walk } from './walk.ts'
import { CALLERS, type Caller } from './world/callers.ts'
import { CALLER_HEADER, exchangeOf } from './world/calling.ts'

export interface DifferentialOptions {
  readonly app: TestApp
  readonly model: SchemaModel
  readonly sources: Sources
  readonly lists: (caller: Caller) => Lists
  readonly seed: number
  /** Requests in all. */
  readonly cases: number
  readonly scope: Scope
  /** How often each operator and each order has to come up; 0: as it comes. */
  readonly least: number
  /** Is each of them asked for until something is found? */
  readonly isWhole: boolean
}

export interface Outcome {
  readonly ran: number
  readonly coverage: Coverage
  readonly aims: Aims
  /** The smallest request that is answered wrongly, with all that belongs to it. */
  readonly difference: string | null
}

/** A request that is answered wrongly. */
interface Difference {
  readonly request: Request
  readonly what: string
}

/** Sends a request and says what is wrong with the answer; `null`: nothing. @param cursors is given those of the answer */
type Check = (request: Request, bothForms: boolean, cursors?: string[]) => Promise<string | null>

/** How many requests share a document, where it has variables. */
const VARIANTS = 6
const VARIANTS_AIMED = 2
/** Every so many requests the statement that writes all of the JSON runs beside the one that was chosen. */
const BOTH_FORMS = 5
/** How often what nothing was found with is asked again. */
const MOST_ROUNDS = 20
/** Requests at once. */
const WIDTH = 4
/** Requests that are tried to make a difference smaller. */
const MOST_TRIES = 600
const ALL = { [CALLER_HEADER]: CALLERS[0]!.name }
/** What a machine that is busy with other tests says; asked again so many times. */
const BUSY = /SERVICE_UNAVAILABLE|\bTIMEOUT\b|No database connection was free/
const PATIENCE = 5
/** What answers a null inside a filter, unless a limit of the request is what is wrong with it. */
const REFUSED_NULL = /"code":"BAD_USER_INPUT"|SERVICE_UNAVAILABLE|\bTIMEOUT\b/

/** Makes requests, sends them, and compares each answer with the reference's, until one differs. */
export async function runDifferential(options: DifferentialOptions): Promise<Outcome> {
  const { app, model, sources, lists, seed, cases, scope, least, isWhole } = options
  const coverage = new Coverage()
  const cursors = await readCursors(app, scope)
  const random = new Random(seed)
  const maker: Maker = {
    random,
    nextTarget: turnsOf(random, scope.targets),
    coverage,
    samples: samplesOf(model, sources),
    cursors: ({ wireName }) => cursors.get(wireName) ?? [],
  }
  const aims = new Aims()
  const references = new Map(
    CALLERS.map((caller) => {
      const own = lists(caller)
      return [caller, { lists: own, reference: new Reference(model, sources, own, caller) }] as const
    }),
  )
  const world = worldOf(model, app.database, 10_000)

  function* requests(): Generator<Request> {
    for (;;) {
      const request = makeRequest(maker, model, scope)
      const isAimed = request.roots.some((root) => root.kind === 'query' && root.aim !== null)
      const variants = printRequest(request).variables === '{}' ? 1 : isAimed ? VARIANTS_AIMED : VARIANTS
      coverage.take(variants)
      yield request
      for (let variant = 1; variant < variants; variant++) {
        yield withOtherVariables(maker, request)
        coverage.forget()
      }
    }
  }

  async function send({ document, variables }: Printed, caller: Caller): Promise<string> {
    const body = `{"query":${JSON.stringify(document)},"variables":${variables}}`
    const headers = { 'content-type': 'application/json', [CALLER_HEADER]: caller.name }
    return (await app.inject({ method: 'POST', url: '/graphql', headers, body })).text
  }

  const check: Check = async (request, bothForms, cursors = []) => {
    const printed = printRequest(request)
    if (printed.absent > 0) {
      const body = await send(printRequest(request, true), request.caller)
      if (!REFUSED_NULL.test(body)) return `a null inside a filter is not refused: ${body.slice(0, 300)}`
    }
    const { reference } = references.get(request.caller)!
    const [body, answer] = await Promise.all([send(printed, request.caller), reference.answer(request)])
    aims.take(request, answer)
    const what = compareAnswer(answer, body, ({ query, row }, cursor) => {
      cursors.push(cursor)
      return reference.learnCursor(query, cursor, row)
    })
    if (what !== null || !bothForms) return what
    const text = await world
      .text(printed.document, parseVariables(printed.variables), exchangeOf(request.caller))
      .catch((error) => String(error))
    const other = text.startsWith('{') ? compareAnswer(answer, `{"data":${text}}`) : text
    return other === null ? null : `the database's own JSON: ${other}`
  }

  /** What nothing was found with yet, or what came up too seldom. */
  const left = (): readonly Target[] => {
    const isEnough = (name: string): boolean => aims.isMet(name) && (coverage.counts.get(name) ?? 0) >= least
    const open = scope.targets.filter(({ name }) => !isEnough(name))
    // Of several fields of a kind another one each time.
    return [...new Map(random.some(open, open.length).map((target) => [target.name, target])).values()]
  }
  function* aimed(targets: readonly Target[]): Generator<Request> {
    for (const request of makeAimed(maker, targets)) {
      coverage.take(1)
      yield request
    }
  }

  let { ran, found } = await runAll(requests(), cases, check)
  for (let round = 0; round < MOST_ROUNDS && found === null && isWhole; round++) {
    const more = await runAll(aimed(left()), Number.POSITIVE_INFINITY, check)
    ran += more.ran
    found = more.found
  }
  if (found === null) return { ran, coverage, aims, difference: null }
  const { request, what } = await shrink(found, check)
  const { lists: asked, reference } = references.get(request.caller)!
  asked.log = []
  const answer = await reference.answer(request).catch((error) => JSON.stringify(String(error)))
  const difference = describe({
    seed,
    what,
    caller: request.caller,
    printed: printRequest(request),
    answer,
    log: asked.log ?? [],
    sql: sqlOf(request),
  })
  return { ran, coverage, aims, difference }

  function sqlOf(request: Request): string {
    const { document, variables } = printRequest(request)
    try {
      return world.prepare(document, parseVariables(variables)).statement?.text ?? '(no statement)'
    } catch (error) {
      return String(error)
    }
  }
}

/** Some at once, in the order in which they are made; behind the first page of a connection its others. */
async function runAll(
  requests: Generator<Request>,
  cases: number,
  check: Check,
): Promise<{ readonly ran: number; readonly found: Difference | null }> {
  let ran = 0
  let found = null as Difference | null
  async function work(): Promise<void> {
    let request: Request | null = null
    let walk = new Walk()
    while (found === null && ran < cases) {
      request ??= (requests.next().value as Request | undefined) ?? null
      if (request === null) return
      const asked: Request = request
      const cursors: string[] = []
      const bothForms = ran++ % BOTH_FORMS === 0
      const what = await patiently(() => check(asked, bothForms, cursors))
      if (what !== null) found ??= { request: asked, what }
      request = walk.next(asked, cursors)
      if (request === null) walk = new Walk()
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, work))
  return { ran, found }
}

/** What is wrong with an answer, where it is one. */
async function patiently(check: () => Promise<string | null>): Promise<string | null> {
  for (let turn = 1; ; turn++) {
    const what = await check().catch((error: Error) => `it threw ${error.stack}`)
    if (what === null || turn > PATIENCE || !BUSY.test(what)) return what
  }
}

/** The smallest request that still differs. */
async function shrink(difference: Difference, check: Check): Promise<Difference> {
  let least = difference
  let tries = 0
  for (let found = true; found; ) {
    found = false
    for (const request of smaller(least.request)) {
      if (tries++ > MOST_TRIES) return least
      // A smaller one may be no request at all: then it says nothing.
      const what = await check(request, true).catch(() => null)
      if (what === null || (isRefusal(what) && !isRefusal(difference.what))) continue
      least = { request, what }
      found = true
      break
    }
  }
  return least
}

/** Did the server refuse the request? A part of a valid request may be none: a cursor belongs to its filter. */
function isRefusal(what: string): boolean {
  return /GRAPHQL_VALIDATION_FAILED|PARSE_ERROR|BAD_USER_INPUT/.test(what)
}

function describe(of: {
  readonly seed: number
  readonly what: string
  readonly caller: Caller
  readonly printed: Printed
  readonly answer: Answer
  readonly log: readonly string[]
  readonly sql: string
}): string {
  const asked = [...new Set(of.log)].slice(0, 12)
  return [
    `seed ${of.seed}, as ${of.caller.name}: ${of.what}`,
    of.printed.document,
    `variables ${of.printed.variables}`,
    `the server's statement\n${of.sql}`,
    `the reference asked\n${asked.join('\n')}`,
    `and expects {"data":${answerText(of.answer)}}`,
  ].join('\n\n')
}

function parseVariables(text: string): Record<string, unknown> {
  return parseJson(text) as Record<string, unknown>
}

/** Cursors of the connections in the order of their keys. */
async function readCursors(app: TestApp, { queries }: Scope): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const { relay, wireName } of queries) {
    if (!relay) continue
    const { data } = await app.graphql(`{ ${wireName}(first: 100) { edges { cursor } } }`, {}, ALL)
    found.set(
      wireName,
      data[wireName].edges.map(({ cursor }: { cursor: string }) => cursor),
    )
  }
  return found
}
