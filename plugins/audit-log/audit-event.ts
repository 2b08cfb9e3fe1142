import type { Exchange } from '../../core/doors/plugin.ts'

export type AuditLevel = 'debug' | 'info' | 'warn'

const LEVELS: Readonly<Record<AuditLevel, number>> = { debug: 0, info: 1, warn: 2 }

/** Facts about an audited action and its outcome. */
export interface AuditFacts {
  readonly level: AuditLevel
  readonly action: 'authenticate' | 'query' | 'mutate' | 'read_field' | 'operate'
  readonly resource: string
  /** Outcome of the action. `partial`: visible in some rows, hidden in others. */
  readonly outcome: 'success' | 'failure' | 'denied' | 'partial'
  /** Code or reason of svc. Never contains a value of the client. */
  readonly reason?: string | undefined
  readonly entityType?: string | null
  readonly entityId?: string | null
}

/** An audit event, as it is stored. */
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

/** Creates an event. @param ip address of the client, by the rules for proxies */
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

/** Removes line breaks and control characters from a text, and shortens it. Names and ids can come from the client. */
export function clean(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return short.replace(UNPRINTABLE, '\ufffd')
}

function cleanOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : clean(text)
}
