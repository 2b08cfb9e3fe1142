import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kit } from '../lib/kit.ts'
import { postGraphQL } from '../lib/post.ts'
import { freePort, startSvc, waitUntilAnswers } from '../lib/svc-process.ts'
import type { RealWorkload } from './workloads.ts'

/** A server that answers the requests of the kit, in its own dialect. */
export interface RealTarget {
  readonly id: string
  readonly title: string
  start(): Promise<RunningTarget>
}

export interface RunningTarget {
  readonly url: string
  /** The bodies of a workload, one for each of its samples; `null`: it cannot say it. */
  bodies(workload: RealWorkload): Promise<readonly string[] | null>
  stop(): Promise<void>
}

export interface TargetOptions {
  readonly kit: Kit
  readonly databaseUrl: string
  /** Compiled. */
  readonly project: string
  readonly scratch: string
  readonly pool: number
  readonly workloads: readonly RealWorkload[]
}

/** All targets: svc, the hand-written statements, and the peers. */
export function realTargets(options: TargetOptions): readonly RealTarget[] {
  const { kit, databaseUrl, project, workloads, scratch } = options
  const statements = join(scratch, 'statements.json')
  const byQuery = workloads.map(({ id, query, hand }) => [query, { name: id, text: hand }])
  writeFileSync(statements, JSON.stringify(Object.fromEntries(byQuery)))
  const plain = (workload: RealWorkload): Promise<readonly string[]> =>
    Promise.resolve(workload.samples.map((variables) => bodyOf(workload.query, textPages(workload, variables))))
  return [
    {
      id: 'svc',
      title: 'svc',
      async start() {
        const server = await startSvc({ project, databaseUrl })
        const cursors =
          'query ($id: ID!) { page: postPages(first: 1, where: { id: { _eq: $id } }) { edges { cursor } } }'
        return { ...server, bodies: (workload) => withCursors(server.url, workload, workload.query, cursors) }
      },
    },
    {
      id: 'hand',
      title: 'by hand',
      start: () => startServer(options, 'hand', process.execPath, { STATEMENTS: statements }, plain),
    },
    ...(kit.newestNode === null
      ? []
      : [
          {
            id: 'postgraphile',
            title: 'PostGraphile 5',
            async start() {
              const bodies = (workload: RealWorkload) =>
                workload.postgraphile === null
                  ? Promise.resolve(null)
                  : withCursors(
                      server.url,
                      workload,
                      workload.postgraphile,
                      'query ($id: UUID!) { page: allPosts(condition: { rowId: $id }, orderBy: PRIMARY_KEY_ASC) { edges { cursor } } }',
                    )
              const server = await startServer(options, 'postgraphile', kit.newestNode!, {}, bodies)
              return server
            },
          },
        ]),
    {
      id: 'mercurius',
      title: 'Mercurius 16',
      start: () =>
        startServer(options, 'mercurius', process.execPath, {}, (workload) =>
          workload.mercurius ? plain(workload) : Promise.resolve(null),
        ),
    },
  ]
}

const bodyOf = (query: string, variables: object): string => JSON.stringify({ query, variables })

/** The number of the post as a cursor. */
function textPages({ pages }: RealWorkload, variables: Readonly<Record<string, unknown>>): object {
  return pages ? { ...variables, after: String(variables.after) } : variables
}

/** Replaces the posts before the pages by the cursors of the server. */
async function withCursors(
  url: string,
  { samples, pages }: RealWorkload,
  query: string,
  cursors: string,
): Promise<readonly string[]> {
  if (pages !== true) return samples.map((variables) => bodyOf(query, variables))
  return Promise.all(
    samples.map(async (variables) => {
      const { body } = await postGraphQL(url, { query: cursors, variables: { id: idOf(variables.after as number) } })
      const cursor = JSON.parse(body).data?.page?.edges[0]?.cursor as string | undefined
      if (cursor === undefined) throw new Error(`no cursor: ${body}`)
      return bodyOf(query, { ...variables, after: cursor })
    }),
  )
}

/** Value as `data.sql` makes it. */
function idOf(post: number): string {
  const hash = createHash('md5').update(`post:${post}`).digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

async function startServer(
  { kit, databaseUrl, pool }: TargetOptions,
  name: string,
  node: string,
  env: Readonly<Record<string, string>>,
  bodies: RunningTarget['bodies'],
): Promise<RunningTarget> {
  const port = await freePort()
  const child = spawn(node, [fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url))], {
    env: {
      ...process.env,
      ...env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PG_POOL: String(pool),
      KIT: kit.dir,
      NODE_ENV: 'production',
    },
    stdio: 'ignore',
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://127.0.0.1:${port}`
  const ready = name === 'postgraphile' ? `${url}/graphql?query={__typename}` : url
  await waitUntilAnswers(child, ready)
  return {
    url: `${url}/graphql`,
    bodies,
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
