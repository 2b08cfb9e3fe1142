import { defineDoctorCheck, examineServer, type Finding } from '../../core/doors/command.ts'
import type { ObserverOptions } from './options.ts'

/** Is there anybody where events and mail are to go? What is called by webhooks is the schema's; Redis is looked at with the other stores. */
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
  // Of several servers the first; the set-up has refused what is no URL.
  const url = new URL(given.split(',')[0]!.trim())
  return examineServer(name, what, url.hostname.replace(/^\[|\]$/g, ''), url.port === '' ? byDefault : Number(url.port))
}
