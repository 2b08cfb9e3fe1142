import { connect } from 'node:net'
import type tap from 'tap'

/** A tap test, with its plugins' methods. */
export type TestLike = Parameters<Parameters<typeof tap.test>[0]>[0]

export type ServiceName = 'postgres' | 'mariadb' | 'redis' | 'nats'

const { env } = process

/** Where each service is looked for: the usual environment variables, else the usual local port. */
export const SERVICES: Readonly<Record<ServiceName, { readonly host: string; readonly port: number }>> = {
  postgres: { host: env.PGHOST ?? '127.0.0.1', port: Number(env.PGPORT ?? 5432) },
  mariadb: { host: env.MYSQL_HOST ?? '127.0.0.1', port: Number(env.MYSQL_TCP_PORT ?? 3306) },
  redis: fromUrl(env.REDIS_URL, '127.0.0.1', 6379),
  nats: fromUrl(env.NATS_URL, '127.0.0.1', 4222),
}

function fromUrl(url: string | undefined, host: string, port: number): { host: string; port: number } {
  if (url === undefined) return { host, port }
  const parsed = new URL(url)
  return { host: parsed.hostname, port: Number(parsed.port || port) }
}

/**
 * Is the service there? When it is not, the test is marked as skipped with the reason, or as failed where
 * `SVC_TEST_REQUIRE=all`.
 *
 *     if (!(await requireService(t, 'postgres'))) return
 */
export async function requireService(t: TestLike, name: ServiceName): Promise<boolean> {
  const { host, port } = SERVICES[name]
  const failure = await tryConnect(host, port)
  if (failure === null) return true
  const reason = `${name} is not reachable at ${host}:${port} (${failure})`
  skip(t, name, reason)
  return false
}

/** Marks the test as skipped, or as failed if `SVC_TEST_REQUIRE` is `all` or lists the service, as in `postgres,redis`. */
export function skip(t: TestLike, what: string, reason: string): void {
  const required = (env.SVC_TEST_REQUIRE ?? '').split(',')
  if (required.includes('all') || required.includes(what)) t.fail(reason)
  else t.pass(what, { skip: reason })
}

function tryConnect(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    socket.setTimeout(2000, () => done('timed out'))
    socket.once('connect', () => done(null))
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    function done(failure: string | null): void {
      socket.destroy()
      resolve(failure)
    }
  })
}
