import type { Exchange } from '../../core/doors/plugin.ts'

export type AuditLevel = 'debug' | 'info' | 'warn'

const LEVELS: Readonly<Record<AuditLevel, number>> = { debug: 0, info: 1, warn: 2 }

/** What was done, and how it ended. */
export interface AuditFacts {
  readonly level: AuditLevel
  readonly action: 'authenticate' | 'query' | 'mutate' | 'read_field' | 'operate'
  readonly resource: string
  /** `partial`: shown in some rows, hidden in others. */
  readonly outcome: 'success' | 'failure' | 'denied' | 'partial'
  /** A word of ours: a code, a reason. Never a value of the client's. */
  readonly reason?: string | undefined
  readonly entityType?: string | null
  readonly entityId?: string | null
}

/** One event, in the form in which it is kept. */
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

/** @param ip where it came from, by the rules about proxies */
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
/** What ends a line, moves a cursor, colours a terminal, turns the direction of text, or cannot be stored. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A text that is one line wherever it is shown, and not long: names and ids may be the client's. */
export function clean(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return short.replace(UNPRINTABLE, '\ufffd')
}

function cleanOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : clean(text)
}
