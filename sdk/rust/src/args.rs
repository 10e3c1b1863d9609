//! Completes and checks args, before any instance exists.
use crate::abi::*;
use crate::guard;
use crate::host::{borrow, Core};
use crate::plugin::Plugin;
use crate::value::{Kind, Value};

/// Errors in args: (path, text). The path is relative to the args (`limits[0].name`), "" for the args
/// themselves; the text is Kubernetes' field error without the path: `Invalid value: 101: must be below 100`.
pub type ArgsErrors = Vec<(String, String)>;

/// Args that the host checks when it reads the configuration. One function completes them, finds errors, and (called by
/// `new`) reads them.
pub trait CheckedArgs: Plugin {
    /// The completed args as one JSON object, or the errors. `args` is an object or null.
    fn complete(args: Value) -> Result<String, ArgsErrors>;
}

type Completed = Result<String, ArgsErrors>;

unsafe fn judge<P: CheckedArgs>(host: *const berth_host, args: *const berth_value) -> Completed {
    guard::silent(|| {
        let core = Core::connect(host);
        let args = Value::new(&core, args);
        match args.kind() {
            Kind::Null | Kind::Object => P::complete(args),
            _ => Err(vec![(String::new(), "Invalid value: args are an object".into())]),
        }
    })
    .unwrap_or_else(|what| Err(vec![(String::new(), format!("plugin {}: reading its args {what}", P::NAME))]))
}

unsafe fn report(sink: *const berth_args_sink, errors: &ArgsErrors) {
    if let Some(error) = (*sink).error {
        for (path, text) in errors {
            error((*sink).ctx, borrow(path), borrow(text))
        }
    }
}

pub(crate) unsafe extern "C" fn complete<P: CheckedArgs>(
    host: *const berth_host, args: *const berth_value, sink: *const berth_args_sink,
) {
    match judge::<P>(host, args) {
        Ok(text) => {
            if let Some(json) = (*sink).json {
                json((*sink).ctx, borrow(&text))
            }
        }
        Err(errors) => report(sink, &errors),
    }
}

pub(crate) unsafe extern "C" fn check<P: CheckedArgs>(
    host: *const berth_host, args: *const berth_value, sink: *const berth_args_sink,
) {
    if let Err(errors) = judge::<P>(host, args) {
        report(sink, &errors)
    }
}
