//! Counters, gauges, and histograms of the plugin, on the page /metrics of the host. `BERTH_SERVICE_METRICS`.
use crate::abi::*;
use crate::host::{borrow, Host};
use sealed::Series;
use std::marker::PhantomData;
use std::os::raw::c_void;

/// A number that only grows, of all instances of the plugin together. A value that is negative or not finite is ignored.
#[derive(Clone)]
pub struct Counter(Series);

impl Counter {
    /// A few nanoseconds, without a lock.
    pub fn add(&self, by: f64) {
        self.0.record(|table| table.add, by)
    }
}

/// The value of this instance; the host serves the sum of all instances of the plugin.
#[derive(Clone)]
pub struct Gauge(Series);

impl Gauge {
    /// Replaces the value.
    pub fn set(&self, value: f64) {
        self.0.record(|table| table.set, value)
    }
    /// Changes the value; may be negative.
    pub fn add(&self, by: f64) {
        self.0.record(|table| table.add, by)
    }
}

/// Values by size. A value that is not finite is ignored.
#[derive(Clone)]
pub struct Histogram(Series);

impl Histogram {
    /// A few nanoseconds, without a lock.
    pub fn observe(&self, value: f64) {
        self.0.record(|table| table.observe, value)
    }
}

/// [`Counter`], [`Gauge`], or [`Histogram`].
pub trait Metric: sealed::Sealed {}
impl Metric for Counter {}
impl Metric for Gauge {}
impl Metric for Histogram {}

mod sealed {
    use super::{Counter, Gauge, Histogram};
    use crate::abi::{berth_metric, berth_metrics};
    use crate::host::Core;
    use std::sync::Arc;

    type Record = Option<unsafe extern "C" fn(*mut berth_metric, f64)>;

    /// A series that threads record into; without one, recording does nothing.
    #[derive(Clone)]
    pub struct Series(pub(super) Option<(Arc<Core>, *mut berth_metric)>);
    // The host records without data races, and the series is good until destroy.
    unsafe impl Send for Series {}
    unsafe impl Sync for Series {}

    impl Series {
        pub(super) fn record(&self, function: impl Fn(&berth_metrics) -> Record, value: f64) {
            if let Some((core, raw)) = &self.0 {
                if let Some(record) = function(&core.services.metrics) {
                    unsafe { record(*raw, value) }
                }
            }
        }
    }

    pub trait Sealed {
        fn of(series: Series) -> Self;
    }
    impl Sealed for Counter {
        fn of(series: Series) -> Self {
            Counter(series)
        }
    }
    impl Sealed for Gauge {
        fn of(series: Series) -> Self {
            Gauge(series)
        }
    }
    impl Sealed for Histogram {
        fn of(series: Series) -> Self {
            Histogram(series)
        }
    }
}

/// A family: a series for each combination of values of its labels.
pub struct MetricFamily<M> {
    host: Host,
    raw: *const berth_metric_family,
    kind: PhantomData<fn() -> M>,
}
// As Series.
unsafe impl<M> Send for MetricFamily<M> {}
unsafe impl<M> Sync for MetricFamily<M> {}

impl<M: Metric> MetricFamily<M> {
    /// The series with these values of the labels, in their order. Takes a lock and about a microsecond: keep it.
    pub fn at(&self, values: &[&str]) -> M {
        let texts: Vec<berth_str> = values.iter().map(|value| borrow(value)).collect();
        let core = &self.host.0;
        let raw = match core.services.metrics.series {
            Some(series) => unsafe { series(core.raw, self.raw, texts.as_ptr(), texts.len() as u32) },
            None => std::ptr::null_mut(),
        };
        M::of(Series(if raw.is_null() { None } else { Some((core.clone(), raw)) }))
    }
}

/// In [`Plugin::new`](crate::Plugin::new) or activate. `name`: "skipped_pods_total", which the host serves as
/// berth_custom_PLUGIN_skipped_pods_total; `help`: one sentence. For a mistake, the host logs it and the metric records
/// nothing; the same is true of a host without the service. `berth/metrics.h` has the names and limits.
impl Host {
    /// A counter without labels.
    pub fn counter(&self, name: &str, help: &str) -> Counter {
        self.counters_by(name, help, &[]).at(&[])
    }
    /// A gauge without labels.
    pub fn gauge(&self, name: &str, help: &str) -> Gauge {
        self.gauges_by(name, help, &[]).at(&[])
    }
    /// A histogram without labels; `buckets`: upper bounds without +Inf, ascending.
    pub fn histogram(&self, name: &str, help: &str, buckets: &[f64]) -> Histogram {
        self.histograms_by(name, help, buckets, &[]).at(&[])
    }
    /// Counters with labels.
    pub fn counters_by(&self, name: &str, help: &str, labels: &[&str]) -> MetricFamily<Counter> {
        self.metric_family(BERTH_METRIC_COUNTER, name, help, labels, &[])
    }
    /// Gauges with labels.
    pub fn gauges_by(&self, name: &str, help: &str, labels: &[&str]) -> MetricFamily<Gauge> {
        self.metric_family(BERTH_METRIC_GAUGE, name, help, labels, &[])
    }
    /// Histograms with labels.
    pub fn histograms_by(&self, name: &str, help: &str, buckets: &[f64], labels: &[&str]) -> MetricFamily<Histogram> {
        self.metric_family(BERTH_METRIC_HISTOGRAM, name, help, labels, buckets)
    }
    /// A family of kube-scheduler, `BERTH_KUBE_*`, which the host defines.
    pub fn kube_counters(&self, name: &str) -> MetricFamily<Counter> {
        self.kube_family(name)
    }
    /// The same for histograms.
    pub fn kube_histograms(&self, name: &str) -> MetricFamily<Histogram> {
        self.kube_family(name)
    }

    fn kube_family<M>(&self, name: &str) -> MetricFamily<M> {
        let raw = match self.0.services.metrics.kube {
            Some(kube) => unsafe { kube(self.0.raw, borrow(name)) },
            None => std::ptr::null(),
        };
        MetricFamily { host: self.clone(), raw, kind: PhantomData }
    }
    fn metric_family<M>(&self, kind: u32, name: &str, help: &str, labels: &[&str], buckets: &[f64]) -> MetricFamily<M> {
        let labels: Vec<berth_str> = labels.iter().map(|label| borrow(label)).collect();
        let spec = berth_metric_spec {
            size: std::mem::size_of::<berth_metric_spec>() as u32,
            kind,
            name: borrow(name),
            help: borrow(help),
            labels: list_of(&labels),
            buckets: list_of(buckets),
        };
        let raw = match self.0.services.metrics.family {
            Some(family) => unsafe { family(self.0.raw, &spec) },
            None => std::ptr::null(),
        };
        MetricFamily { host: self.clone(), raw, kind: PhantomData }
    }
}

fn list_of<T>(items: &[T]) -> berth_list {
    berth_list { ptr: items.as_ptr() as *const c_void, n: items.len() as u32, stride: std::mem::size_of::<T>() as u32 }
}
