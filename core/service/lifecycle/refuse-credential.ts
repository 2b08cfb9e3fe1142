import type { Exchange } from '../../contract/exchange.ts'
import type { Signal, Signals } from '../../contract/signals.ts'

/** Kept beside the signal, so that printing a signal cannot print headers. */
const exchanges = new WeakMap<Signal, Exchange>()

/**
 * Emits the signal `credential-refused` for an invalid credential. Listeners count failed logins.
 * @param method name of the plugin that rejects the credential
 * @param reason a fixed word, without any part of the credential
 */
export function refuseCredential(signals: Signals, exchange: Exchange, method: string, reason: string): void {
  const { id, address } = exchange
  const signal: Signal = { type: 'credential-refused', requestId: id, address, method, reason }
  exchanges.set(signal, exchange)
  signals.emit(signal)
}

/** Returns the exchange of a `credential-refused`. Its id may come from the client, and its address may be that of a proxy. */
export function refusedExchange(signal: Signal): Exchange | undefined {
  return exchanges.get(signal)
}
