import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { AuditLevel } from './audit-event.ts'

/** Options of the section `[security.audit_log]`. */
export interface AuditOptions {
  readonly enabled: boolean
  readonly level: AuditLevel
  readonly sink: 'stdout' | 'file' | 'table'
  readonly file?: string
  readonly max_queued: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    level: {
      type: 'string',
      enum: ['debug', 'info', 'warn'],
      default: 'info',
      description:
        'The least that is kept: `warn` what was refused, `info` writes and operators too, `debug` everything.',
    },
    sink: {
      type: 'string',
      enum: ['stdout', 'file', 'table'],
      default: 'stdout',
      description: 'Where it goes: lines of JSON, or rows of the table `svc_audit_log`.',
    },
    file: {
      type: 'string',
      minLength: 1,
      description: 'Of `file`: the file that lines are added to, relative to this file.',
      examples: ['logs/audit.jsonl'],
    },
    max_queued: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
      description: 'Events that wait in memory while the sink is slow or away. What comes then is lost, and counted.',
    },
  },
}
