import { escapePercents } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import type { EventBus } from './event-bus.ts'
import { createMariadbBus } from './mariadb-bus.ts'
import { createNatsBus } from './nats-bus.ts'
import { createRedisBus } from './redis-bus.ts'

/** Options of the backends that use a message bus: Redis, NATS or MariaDB. */
export interface BusOptions {
  readonly backend: 'in-memory' | 'sqldb' | 'kvstore' | 'msgbus' | 'mariadb'
  readonly kvstore_url?: string
  readonly msgbus_url?: string
  readonly mariadb_url?: string
  readonly stream: string
  readonly subject_prefix: string
}

/**
 * Creates the message bus that the configuration names, without waiting for its server.
 * @returns `null` for a backend without a message bus
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function openBus(options: BusOptions): Promise<EventBus | null> {
  const { stream, subject_prefix: subject } = options
  switch (options.backend) {
    case 'kvstore':
      return createRedisBus(urlOf(options, 'kvstore_url', ['redis:', 'rediss:']), stream)
    case 'msgbus':
      return createNatsBus(urlOf(options, 'msgbus_url', ['nats:', 'tls:']), stream, subject)
    case 'mariadb':
      return createMariadbBus(urlOf(options, 'mariadb_url', ['mysql:', 'mariadb:']), stream)
    default:
      return null
  }
}

/** Reads and checks a URL. It is never part of a message, since it may contain a password. */
function urlOf(
  options: BusOptions,
  key: 'kvstore_url' | 'msgbus_url' | 'mariadb_url',
  schemes: readonly string[],
): string {
  const url = options[key]
  const wanted = `${schemes[0]}//host`
  if (url === undefined || url === '') throw invalid(`backend = "${options.backend}" needs ${key}, "${wanted}"`)
  if (!URL.canParse(url) || !schemes.includes(new URL(url).protocol)) throw invalid(`${key} is no URL like "${wanted}"`)
  // Normalized: ioredis reads `REDISS://` as a URL without TLS, and clients differ about a lone percent sign in a password.
  return new URL(escapePercents(url)).href
}

function invalid(message: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[observers] ${message}.`)
}
