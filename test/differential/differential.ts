import { parseJson, type SchemaModel } from '../../core/index.ts'
import type { TestApp } from '../helpers/open-app.ts'
import { worldOf } from '../helpers/plan-world.ts'
import { answerText, compareAnswer } from './compare-answer.ts'
import { Coverage } from './coverage.ts'
import type { Maker } from './generate/filters.ts'
import { makeRequest, type Scope, withOtherVariables } from './generate/requests.ts'
import { type Printed, printRequest } from './print-request.ts'
import { Random } from './random.ts'
import { type Answer, Reference } from './reference/answer.ts'
import type { Lists } from './reference/lists.ts'
import type { Sources } from './reference/rows.ts'
import { samplesOf } from './reference/samples.ts'
import type { Request } from './request.ts'
import { smaller } from './shrink.ts'

export interface DifferentialOptions {
  readonly app: TestApp
  readonly model: SchemaModel
  readonly sources: Sources
  readonly lists: Lists
  readonly seed: number
  /** Requests in all. */
  readonly cases: number
  readonly scope: Scope
}

export interface Outcome {
  readonly ran: number
  readonly coverage: Coverage
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
/** Every so many requests the statement that writes all of the JSON runs beside the one that was chosen. */
const BOTH_FORMS = 5
/** Requests at once. */
const WIDTH = 4
/** Requests that are tried to make a difference smaller. */
const MOST_TRIES = 600
/** Pages of one connection behind the first. */
const MOST_PAGES = 6
/** What a machine that is busy with other tests says; asked again so many times. */
const BUSY = /SERVICE_UNAVAILABLE|\bTIMEOUT\b|No database connection was free/
const PATIENCE = 5

/** Makes requests, sends them, and compares each answer with the reference's, until one differs. */
export async function runDifferential(options: DifferentialOptions): Promise<Outcome> {
  const { app, model, sources, lists, seed, cases, scope } = options
  const coverage = new Coverage()
  const cursors = await readCursors(app, scope)
  const maker: Maker = {
    random: new Random(seed),
    coverage,
    samples: samplesOf(model, sources),
    cursors: ({ wireName }) => cursors.get(wireName) ?? [],
  }
  const reference = new Reference(model, sources, lists)
  const world = worldOf(model, app.database, 10_000)

  function* requests(): Generator<Request> {
    for (;;) {
      const request = makeRequest(maker, model, scope)
      const variants = printRequest(request).variables === '{}' ? 1 : VARIANTS
      coverage.take(variants)
      yield request
      for (let variant = 1; variant < variants; variant++) {
        yield withOtherVariables(maker, request)
        coverage.forget()
      }
    }
  }

  async function send({ document, variables }: Printed): Promise<string> {
    const body = `{"query":${JSON.stringify(document)},"variables":${variables}}`
    const headers = { 'content-type': 'application/json' }
    return (await app.inject({ method: 'POST', url: '/graphql', headers, body })).text
  }

  const check: Check = async (request, bothForms, cursors = []) => {
    const printed = printRequest(request)
    const [body, answer] = await Promise.all([send(printed), reference.answer(request)])
    const what = compareAnswer(answer, body, ({ query, row }, cursor) => {
      cursors.push(cursor)
      return reference.learnCursor(query, cursor, row)
    })
    if (what !== null || !bothForms) return what
    const text = await world.text(printed.document, parseVariables(printed.variables)).catch((error) => String(error))
    const other = text.startsWith('{') ? compareAnswer(answer, `{"data":${text}}`) : text
    return other === null ? null : `the database's own JSON: ${other}`
  }

  const { ran, found } = await runAll(requests(), cases, check)
  if (found === null) return { ran, coverage, difference: null }
  const { request, what } = await shrink(found, check)
  lists.log = []
  const answer = await reference.answer(request).catch((error) => JSON.stringify(String(error)))
  const difference = describe({
    seed,
    what,
    printed: printRequest(request),
    answer,
    log: lists.log ?? [],
    sql: sqlOf(request),
  })
  return { ran, coverage, difference }

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
    let page = 0
    while (found === null && ran < cases) {
      request ??= requests.next().value as Request
      const asked: Request = request
      const cursors: string[] = []
      const bothForms = ran++ % BOTH_FORMS === 0
      const what = await patiently(() => check(asked, bothForms, cursors))
      if (what !== null) found ??= { request: asked, what }
      request = page++ < MOST_PAGES ? nextPage(asked, cursors) : null
      if (request === null) page = 0
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

/** The page behind that of an ordered connection; `null`: it has none, or is no such connection. */
function nextPage({ roots }: Request, cursors: readonly string[]): Request | null {
  const [root] = roots
  if (roots.length !== 1 || root?.kind !== 'query' || root.args.orderBy === undefined || cursors.length === 0)
    return null
  const { after: _, before: __, ...args } = root.args
  const forward = args.first?.value != null || args.last?.value == null
  const end = { value: forward ? cursors.at(-1)! : cursors[0]!, as: 'variable' } as const
  return { roots: [{ ...root, args: { ...args, [forward ? 'after' : 'before']: end } }] }
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
  readonly printed: Printed
  readonly answer: Answer
  readonly log: readonly string[]
  readonly sql: string
}): string {
  const asked = [...new Set(of.log)].slice(0, 12)
  return [
    `seed ${of.seed}: ${of.what}`,
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
    const { data } = await app.graphql(`{ ${wireName}(first: 100) { edges { cursor } } }`)
    found.set(
      wireName,
      data[wireName].edges.map(({ cursor }: { cursor: string }) => cursor),
    )
  }
  return found
}
