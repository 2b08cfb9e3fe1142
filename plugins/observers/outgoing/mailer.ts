import { importPackages, SvcError } from '../../../core/doors/plugin.ts'
import type { Outcome } from './http-sender.ts'
import { MAIL_PACKAGE } from './mail-package.ts'
import { readCa } from './read-ca.ts'

/** Options of `[observers]` for the SMTP server that sends emails. */
export interface MailOptions {
  readonly smtp_host?: string
  readonly smtp_port: number
  readonly smtp_tls: 'starttls' | 'tls' | 'none'
  readonly smtp_user?: string
  readonly smtp_password?: string
  readonly smtp_from?: string
  readonly smtp_ca_file?: string
}

/** Options that mails share with webhooks. */
interface Limits {
  readonly max_concurrent_per_target: number
  readonly connect_timeout_ms: number
  readonly request_timeout_ms: number
  readonly max_payload_bytes: number
}

interface Mail {
  readonly from: string | null
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** The same for every attempt; part of the `Message-ID`. */
  readonly id: string
}

export interface Mailer {
  readonly from: string
  readonly host: string
  /** Sends an email. It never rejects: a failure is part of the result. */
  send(mail: Mail): Promise<Outcome>
  close(): void
}

interface SendFailure {
  readonly code?: string
  readonly responseCode?: number
  readonly message: string
}

/**
 * Creates the sender of emails for the SMTP server of `[observers]`.
 * @param baseDir folder for relative paths
 * @returns `null` when no SMTP server is configured
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function createMailer(options: MailOptions & Limits, baseDir: string): Promise<Mailer | null> {
  const { smtp_host: host, smtp_from: from, smtp_port: port, smtp_tls: tls, smtp_user: user } = options
  if (host === undefined) return null
  if (from === undefined) throw invalid('smtp_host needs smtp_from: the address that mails come from')
  const password = options.smtp_password
  if ((user === undefined) !== (password === undefined)) throw invalid('smtp_user and smtp_password go together')
  if (user !== undefined && tls === 'none') throw invalid('smtp_tls = "none" would send the password in clear')
  const { createTransport } = await importPackages('observers', MAIL_PACKAGE, () => import('nodemailer'))
  const trusted = await readCa('smtp_ca_file', options.smtp_ca_file, baseDir)
  const transport = createTransport({
    pool: true,
    maxConnections: options.max_concurrent_per_target,
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user === undefined ? {} : { auth: { user, pass: password! } }),
    tls: trusted,
    connectionTimeout: options.connect_timeout_ms,
    greetingTimeout: options.connect_timeout_ms,
    socketTimeout: options.request_timeout_ms,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    from,
    host: `${host}:${port}`,
    async send({ id, to, subject, text, from: own }) {
      if (Buffer.byteLength(text) > options.max_payload_bytes) {
        return { kind: 'never', error: `the mail is longer than max_payload_bytes, ${options.max_payload_bytes}` }
      }
      const messageId = `<${id.replace('/', '.')}@svc>`
      try {
        const { rejectedErrors: refused = [] } = (await transport.sendMail({
          from: own ?? from,
          to: [...to],
          subject,
          text,
          messageId,
        })) as { rejectedErrors?: SendFailure[] }
        // A further attempt reaches the accepted recipients again, with the same `Message-ID`.
        return (
          refused.map(judge).find(({ kind }) => kind === 'again') ??
          (refused[0] === undefined ? { kind: 'done' } : judge(refused[0]))
        )
      } catch (error) {
        return judge(error as SendFailure)
      }
    },
    close: () => transport.close(),
  }
}

/** A permanent refusal (5xx) is final. Failed logins and TLS errors are retried, since the operator can fix them. */
function judge({ code, responseCode, message }: SendFailure): Outcome {
  const error = responseCode === undefined ? (code ?? message) : `it answered ${responseCode}`
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS'
  return { kind: isFinal ? 'never' : 'again', error }
}

function invalid(message: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[observers] ${message}.`)
}
