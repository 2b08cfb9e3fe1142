import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'

/** Receives the outcome of span exports, for the log and metrics. */
export interface ExportReport {
  exported(spans: number): void
  /**
   * Called when a batch of spans could not be exported.
   * @param spans number of lost spans
   * @param isNews `true` if the batch before was exported, or this is the first batch
   */
  lost(spans: number, error: Error | undefined, isNews: boolean): void
  /** Called when an export succeeds after failures. */
  recovered(): void
}

type Done = Parameters<SpanExporter['export']>[1]

/** Wraps a span exporter to report the outcome of its exports. */
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
