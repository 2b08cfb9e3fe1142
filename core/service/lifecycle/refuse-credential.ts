import type { Exchange } from '../../contract/exchange.ts'
import type { Signal, Signals } from '../../contract/signals.ts'

/** Kept beside the signal, so that printing a signal cannot print headers. */
const exchanges = new WeakMap<Signal, Exchange>()

/**
 * Emits the signal `credential-refused` for an exchange with an invalid credential. Plugins count such signals as
 * failed logins.
 * @param method name of the plugin that rejects the credential
 * @param reason fixed word that names the reason, without any part of the credential
 */
export function refuseCredential(signals: Signals, exchange: Exchange, method: string, reason: string): void {
  const { id, address } = exchange
  const signal: Signal = { type: 'credential-refused', requestId: id, address, method, reason }
  exchanges.set(signal, exchange)
  signals.emit(signal)
}

/**
 * Returns the exchange that a signal `credential-refused` is about, because the id in the signal may come from the
 * client and the address may be that of a proxy. `undefined`: another signal.
 */
export function refusedExchange(signal: Signal): Exchange | undefined {
  return exchanges.get(signal)
}
