import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'

/** Receives the results of deliveries. */
export interface ExportReport {
  exported(spans: number): void
  /**
   * Called when spans were lost.
   * @param isNews `true` if the previous batch was delivered, or if this is the first one
   */
  lost(spans: number, error: Error | undefined, isNews: boolean): void
  /** Called when deliveries succeed again. */
  recovered(): void
}

type Done = Parameters<SpanExporter['export']>[1]

/** Wraps an exporter to report the results of deliveries. An outage of the collector is reported once, not per batch. */
export function watchExporter(exporter: SpanExporter, report: ExportReport): SpanExporter {
  let isFailing = false

  function tell(spans: number, error: Error | undefined): void {
    report.lost(spans, error, !isFailing)
    isFailing = true
  }

  return {
    export(spans: ReadableSpan[], done: Done) {
      exporter.export(spans, (result) => {
        if (result.code === 0) {
          report.exported(spans.length)
          if (isFailing) report.recovered()
          isFailing = false
        } else tell(spans.length, result.error)
        // Reports success to the SDK, because it would log the failure a second time.
        done({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && { forceFlush: () => exporter.forceFlush!() }),
  }
}
