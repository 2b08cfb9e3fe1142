import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'
import { AUDIT_TABLE } from './table.ts'

const manifest: Manifest = {
  name: 'audit-log',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Keeps who did what: logins that failed, writes, what was denied, what operators did.',
  after: ['rate-limiting'],
  config: 'security.audit_log',
  options,
  aliases: {
    'security.enterprise.audit_logging_enabled': 'enabled',
    'security.enterprise.audit_log_level': 'level',
  },
  tables: [AUDIT_TABLE],
  metrics: {
    audit_log_events_total: { type: 'counter', help: 'Events that were taken into the audit log.' },
    audit_log_lost_total: {
      type: 'counter',
      help: 'Events of the audit log that were lost: what takes them was too slow, or away.',
    },
  },
}
export default manifest
