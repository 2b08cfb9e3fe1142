import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '../../../../core/cli/main.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { runService, type Service } from '../../../helpers/service.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { createTestIo } from '../helpers.ts'

export const COUNT = 3

const TOML = `
[security]
default_policy = "public"
[server]
host = "127.0.0.1"
port = 0
workers = ${COUNT}
shutdown_grace_ms = 100
[database]
pool_max = 7
pool_min = 0
[plugins]
preset = "minimal"
enable = ["metrics", "apq"]
[[plugins.use]]
path = "./who.js"
`
export const schemaOf = (query: string) => `
import { type, field, query, list, ID, String } from 'svc/authoring'
@type()
export class Book {
  @field(ID) id!: string
  @field(String) title!: string
}
export class Api {
  @query(() => list(Book), { sqlSource: 'v_book' }) ${query}!: unknown
}
`
/** Says which process answered. A request for \`/die\` ends it as a fault in our own code would. */
const WHO = `
import { definePlugin } from 'svc'
const manifest = { name: 'who', version: '1.0.0', kernelApi: 1, description: 'Names the process.' }
export default definePlugin(manifest, (scope) => {
  scope.on('onRequest', async (ctx, next) => {
    if (ctx.pathname === '/die') process.nextTick(() => { throw new Error('died of a fault') })
    const reply = await next()
    reply.headers['x-pid'] = String(process.pid)
    return reply
  })
})
`
const SQL = "CREATE TABLE v_book (id int PRIMARY KEY, title text NOT NULL); INSERT INTO v_book VALUES (1, 'Ulysses');"

export interface Workers extends Service {
  readonly dir: string
  readonly databaseUrl: string
  /** Process ids that answered a handful of fresh connections. */
  pids(): Promise<ReadonlySet<number>>
  /** Waits until the output has this. */
  says(what: RegExp): Promise<void>
  /** Schema hashes by process. */
  hashes(): Promise<ReadonlySet<string>>
}

const ARTIFACT = 'schema.compiled.json'
/** The same for every database with these tables. */
let artifact: string | undefined

async function compile(dir: string, url: string): Promise<string> {
  const { io, stderr } = createTestIo(dir, { DATABASE_URL: url })
  if ((await main(['compile'], io)) !== 0) throw new Error(stderr())
  return readFileSync(`${dir}/${ARTIFACT}`, 'utf8')
}

/** A compiled project over a database of its own. */
export async function createProject(t: TestLike, toml = TOML): Promise<{ dir: string; url: string }> {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const dir = t.testdir({ 'svc.toml': toml, 'schema.ts': schemaOf('books'), 'who.js': WHO })
  artifact ??= await compile(dir, url)
  writeFileSync(`${dir}/${ARTIFACT}`, artifact)
  return { dir, url }
}

/** `svc run` with workers, all of them serving. */
export async function runWorkers(t: TestLike, args: readonly string[] = []): Promise<Workers> {
  const { dir, url } = await createProject(t)
  const service = await runService(t, dir, { args, env: { DATABASE_URL: url } })
  const seen = async (read: (reply: Response) => Promise<string>) => {
    const values = new Set<string>()
    for (let i = 0; i < COUNT * 4; i++) {
      values.add(await read(await fetch(`${service.url}/health`, { headers: { connection: 'close' } })))
    }
    return values
  }
  const workers: Workers = {
    ...service,
    dir,
    databaseUrl: url,
    says: (what) => until(() => what.test(service.output()), service.output),
    async pids() {
      const values = await seen(async (reply) => {
        await reply.text()
        return reply.headers.get('x-pid') ?? ''
      })
      return new Set([...values].map(Number))
    },
    hashes: () => seen(async (reply) => ((await reply.json()) as { schema_hash: string }).schema_hash),
  }
  await workers.says(/"message":"serving"/)
  return workers
}

export async function until(check: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (await check()) return
    await sleep(50)
  }
  throw new Error(`not in time: ${what()}`)
}

export interface Answer {
  readonly pid: number
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** A client with one connection that it keeps. */
export function createClient(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async ask(query: string): Promise<Answer> {
      const req = request(`${url}/graphql`, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
      req.end(JSON.stringify({ query }))
      const [reply] = await once(req, 'response')
      const body = await text(reply)
      return { pid: Number(reply.headers['x-pid']), status: reply.statusCode, body, headers: reply.headers }
    },
    end: () => agent.destroy(),
  }
}

export const hashIn = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).content_hash
