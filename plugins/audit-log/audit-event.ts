import type { Exchange } from '../../core/doors/plugin.ts'

export type AuditLevel = 'debug' | 'info' | 'warn'

const LEVELS: Readonly<Record<AuditLevel, number>> = { debug: 0, info: 1, warn: 2 }

/** What happened in an action to audit. `toEvent` adds the time, the caller and the request to make an `AuditEvent`. */
export interface AuditFacts {
  readonly level: AuditLevel
  readonly action: 'authenticate' | 'query' | 'mutate' | 'read_field' | 'operate'
  readonly resource: string
  /** Outcome of the action. `partial`: a field was visible in some rows and hidden in others, or was masked. */
  readonly outcome: 'success' | 'failure' | 'denied' | 'partial'
  /** Error code, or reason of a rejection, that svc chose. Never contains a value from the client. */
  readonly reason?: string | undefined
  readonly entityType?: string | null
  readonly entityId?: string | null
}

/** An audit event with the column names of the audit log, as it is written to a table, a file or stdout. */
export interface AuditEvent {
  readonly timestamp: string
  readonly level: AuditLevel
  readonly actor: string | null
  readonly action: AuditFacts['action']
  readonly resource: string
  readonly outcome: AuditFacts['outcome']
  readonly reason: string | null
  readonly entity_type: string | null
  readonly entity_id: string | null
  readonly ip: string
  readonly request_id: string
}

export function isKept(level: AuditLevel, least: AuditLevel): boolean {
  return LEVELS[level] >= LEVELS[least]
}

/**
 * Creates an audit event with the current time. Texts are shortened and cleaned of control characters.
 * @param ip address of the client behind trusted proxies
 * @param actor subject of the caller; default: the authenticated caller of the exchange
 */
export function toEvent(exchange: Exchange, ip: string, facts: AuditFacts, actor = exchange.auth?.subject): AuditEvent {
  return {
    timestamp: new Date().toISOString(),
    level: facts.level,
    actor: cleanOrNull(actor),
    action: facts.action,
    resource: clean(facts.resource),
    outcome: facts.outcome,
    reason: cleanOrNull(facts.reason),
    entity_type: cleanOrNull(facts.entityType),
    entity_id: cleanOrNull(facts.entityId),
    ip: clean(ip),
    request_id: clean(exchange.id),
  }
}

const LONGEST = 256
/** Characters that end a line, move the cursor, color a terminal, change the text direction, or cannot be stored. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * Shortens a text and replaces line breaks and control characters, so that a client cannot forge lines of the audit log
 * with names or ids.
 */
export function clean(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return short.replace(UNPRINTABLE, '\ufffd')
}

function cleanOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : clean(text)
}
