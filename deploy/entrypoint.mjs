/**
 * Starts the image's program. With OTEL_EXPORTER_OTLP_ENDPOINT, tracing is loaded before the
 * program.
 */
const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, ASSAY_MAIN: main } = process.env;
if (!main) throw new Error('ASSAY_MAIN must name the program to run');
const programs = [...(collector ? ['./libs/runtime/dist/tracing.js'] : []), main];
for (const program of programs) await import(program);
