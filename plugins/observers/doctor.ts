import { defineDoctorCheck, examineServer, type Finding } from '../../core/doors/command.ts'
import type { ObserverOptions } from './options.ts'

/**
 * Check of `svc doctor`: the message bus and the mail server of `[observers]` answer. Redis is checked with the other
 * key-value stores.
 */
export default defineDoctorCheck<ObserverOptions>(async ({ options }) => {
  const { backend, msgbus_url: nats, mariadb_url: mariadb, smtp_host: smtp, smtp_port: smtpPort } = options
  const found: Promise<Finding>[] = []
  if (backend === 'msgbus' && nats !== undefined) found.push(examineUrl('message bus', 'NATS (msgbus_url)', nats, 4222))
  if (backend === 'mariadb' && mariadb !== undefined) {
    found.push(examineUrl('event database', 'MariaDB (mariadb_url)', mariadb, 3306))
  }
  if (smtp !== undefined) found.push(examineServer('mail', 'the mail server (smtp_host)', smtp, smtpPort))
  return Promise.all(found)
})

function examineUrl(name: string, what: string, given: string, byDefault: number): Promise<Finding> {
  // The first of several servers. The set-up has rejected invalid URLs.
  const url = new URL(given.split(',')[0]!.trim())
  return examineServer(name, what, url.hostname.replace(/^\[|\]$/g, ''), url.port === '' ? byDefault : Number(url.port))
}
