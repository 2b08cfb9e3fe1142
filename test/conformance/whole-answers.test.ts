import t from 'tap'
import { requireService } from '../helpers/services.ts'
import { matrixParts } from './matrix/parts.ts'
import { openMatrix } from './matrix/world.ts'
import { ANSWERS, EVERY, JSON_TYPE } from './whole-answers.ts'

/**
 * One answer and one refusal of each front, whole: status, all headers and all of the body, as `preset = "full"` gives them. What is
 * there beside them, a header or a member, is something that leaks, or something that belongs here.
 */
t.setTimeout(120_000)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What differs from run to run, as long as it has its form. */
const FORMS: Readonly<Record<string, RegExp>> = {
  etag: /^W\/"[0-9a-f]{16}"$/,
  'mcp-session-id': /^2025-11-25\.[0-9a-f-]{36}\.[0-9a-f]{32}$/,
}

/** The same of members of a body. */
const some = (holds: (value: unknown) => boolean) => (value: unknown) => (holds(value) ? '…' : value)
const isNumber = some((value) => typeof value === 'number' && value >= 0)
const MEMBERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  expires_at: some((value) => Math.abs(Date.parse(String(value)) - Date.now()) < 3_700_000),
  schema_hash: some((value) => /^[0-9a-f]{64}$/.test(String(value))),
  uptime_seconds: isNumber,
  latency_ms: isNumber,
  lag_seconds: isNumber,
  active_connections: isNumber,
  idle_connections: isNumber,
}

if (await requireService(t, 'postgres')) {
  const parts = await matrixParts()
  const rules = parts.rules.filter(({ name }) => name === 'The default policy')
  const { app } = await openMatrix(t, { ...parts, rules })
  let places = 0
  for (const [name, { ask, ...expected }] of Object.entries(ANSWERS)) {
    await t.test(name, async (t) => {
      // Each from an address of its own, whose share of the rate nobody else takes.
      const told = await app.inject({ ...ask, address: `127.9.0.${++places}` })
      const { 'x-request-id': id, 'x-ratelimit-reset': reset, ...all } = told.headers
      const rest: Record<string, unknown> = { ...all }
      t.match(id, UUID)
      t.equal(reset !== undefined, expected.headers['x-ratelimit-limit'] !== undefined)
      for (const [header, form] of Object.entries(FORMS)) {
        if (rest[header] === undefined || expected.headers[header] === undefined) continue
        t.match(rest[header], form)
        rest[header] = expected.headers[header]
      }
      const { headers: own, body, status } = expected
      const isJson = own['content-type'] === JSON_TYPE['content-type']
      const said: unknown = isJson ? JSON.parse(told.text, (key, value) => MEMBERS[key]?.(value) ?? value) : told.text
      t.strictSame({ status: told.status, headers: rest, body: said }, { status, headers: { ...EVERY, ...own }, body })
    })
  }
}
